/**
 * Timestamps of syslog messages, as RFC 5424, RFC 3164 and devices write them.
 *
 * <p>{@link io.millrace.internal.parse.time.TimeReader} reads the usual forms, {@link io.millrace.internal.parse.time.RareTimes} the others.
 * Each method takes the position at which something may begin, and returns the position after it. Nothing is allocated, except
 * for local times in the hour in which clocks change. Each reader is used by one thread.
 */
package io.millrace.internal.parse.time;
