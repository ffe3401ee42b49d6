/** The HTTP client of outputs: one connection class for all destinations, whose errors are for people. One thread per client. */
package io.millrace.output.internal.http;
