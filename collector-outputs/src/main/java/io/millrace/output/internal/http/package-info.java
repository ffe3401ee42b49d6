/**
 * What all outputs over HTTP share. {@code HttpSink} sends batches, reads answers as verdicts, finds invalid records, waits and retries; an {@code
 * HttpProtocol} per destination writes requests and reads answers; {@code HttpPost} and {@code HttpConnection} are the client, whose errors are for
 * people. One thread per output.
 */
package io.millrace.output.internal.http;
