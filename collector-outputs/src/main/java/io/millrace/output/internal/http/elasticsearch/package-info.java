/** The bulk interface of Elasticsearch and OpenSearch: names of indexes, requests, and the errors of single documents. One thread per output. */
package io.millrace.output.internal.http.elasticsearch;
