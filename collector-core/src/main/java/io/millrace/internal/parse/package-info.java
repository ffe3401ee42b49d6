/**
 * Parser of syslog messages: RFC 5424, RFC 3164 as devices send it, and formats of vendors.
 *
 * <p>{@link io.millrace.internal.parse.SyslogParser} parses bytes and fills in a {@link io.millrace.internal.parse.ParsedMessage}, whose
 * fields are offsets into those bytes until they are requested as text. It never fails, and allocates nothing except
 * for local times in the hour in which clocks change. A message of unknown format has the kind {@code raw} and keeps
 * all its bytes. First the header is parsed (octet count, PRI, version, timestamp, host, tag), then the format of the
 * body is detected ({@link io.millrace.message.Body}). Each parser is used by one thread.
 */
package io.millrace.internal.parse;
