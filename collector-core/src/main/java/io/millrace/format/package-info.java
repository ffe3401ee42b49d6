/**
 * How a datagram of the journal is written out: {@code raw} or {@code json}, one line each. A format writes bytes into a
 * buffer of its caller's; it never fails, whatever the payload holds. One thread.
 */
package io.millrace.format;
