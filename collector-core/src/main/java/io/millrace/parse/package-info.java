/**
 * What a syslog message says: RFC 5424, RFC 3164 as devices really send it, and the vendors' own ways.
 *
 * <p>{@link io.millrace.parse.SyslogParser} looks at bytes and fills in a {@link io.millrace.parse.SyslogMessage}, whose
 * fields are offsets into those bytes until somebody asks for text. It never fails, and allocates nothing but for local
 * times of the hour in which clocks change. What cannot be understood is a message of kind {@code raw} with all its bytes. The header decides first (octet count, PRI, version,
 * time stamp, host, tag), then the body is looked at ({@link io.millrace.parse.Body}). One thread a parser.
 */
package io.millrace.parse;
