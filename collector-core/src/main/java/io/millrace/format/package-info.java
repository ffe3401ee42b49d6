/**
 * How a record of the journal, or a line of a file, is written out: {@code raw}, {@code json}, {@code rfc5424}, {@code
 * logfmt}, or by a template. A {@link io.millrace.format.LineFormat} writes one line for a {@link
 * io.millrace.format.LogRecord} into a buffer of its caller's; it never fails, whatever the payload holds. One thread.
 */
package io.millrace.format;
