/**
 * Outputs over HTTP: newline-delimited JSON, Loki, and the bulk interface of Elasticsearch and OpenSearch.
 */
package io.millrace.output.http;
