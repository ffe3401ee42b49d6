package io.millrace.internal.format;

import io.millrace.internal.parse.ParsedMessage;

/** Changes of a message that are no part of its bytes. */
@FunctionalInterface
public interface MessageChanges {
    /** Changes the message, which has just been parsed. */
    void apply(ParsedMessage message);
}
