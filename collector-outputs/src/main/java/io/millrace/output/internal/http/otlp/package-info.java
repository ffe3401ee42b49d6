/** OTLP over HTTP: log records of the OpenTelemetry data model as Protocol Buffers. One thread per output. */
package io.millrace.output.internal.http.otlp;
