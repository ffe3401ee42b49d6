/**
 * Outputs over HTTP: a class of settings for each destination, and what they have in common. How a destination is spoken to is in {@code
 * io.millrace.output.internal.http} and below.
 */
package io.millrace.output.http;
