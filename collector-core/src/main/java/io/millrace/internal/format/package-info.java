/**
 * Formatters of records: {@code raw}, {@code json}, {@code rfc5424} and {@code logfmt}; templates have a package of their own. A {@link
 * io.millrace.message.LineFormat} writes one line for a {@link io.millrace.internal.format.JournalRecord} into a buffer of the
 * caller. It never fails, whatever the payload contains. One thread.
 */
package io.millrace.internal.format;
