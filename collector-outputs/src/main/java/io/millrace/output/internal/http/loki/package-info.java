/** The push interface of Grafana Loki: streams and their labels. One thread per output. */
package io.millrace.output.internal.http.loki;
