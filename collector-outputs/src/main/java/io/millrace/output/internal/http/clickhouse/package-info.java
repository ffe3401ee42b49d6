/** Inserts into ClickHouse over HTTP: queries, deduplication tokens, and the error codes of the server. One thread per output. */
package io.millrace.output.internal.http.clickhouse;
