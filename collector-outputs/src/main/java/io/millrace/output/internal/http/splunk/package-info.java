/**
 * The HTTP Event Collector (HEC) of Splunk: events and their metadata, error codes, and indexer acknowledgement. One thread per output, and with
 * acknowledgement another one, {@code millrace-splunk-acks}, which asks what is indexed.
 */
package io.millrace.output.internal.http.splunk;
