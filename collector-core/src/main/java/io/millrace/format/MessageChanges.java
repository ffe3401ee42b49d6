package io.millrace.format;

import io.millrace.parse.SyslogMessage;

/** Changes of a message that are no part of its bytes. */
@FunctionalInterface
public interface MessageChanges {
    /** Changes the message, which has just been parsed. */
    void apply(SyslogMessage message);
}
