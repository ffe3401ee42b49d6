package io.millrace.internal.fields;

/** Takes the place of a value in a message. */
@FunctionalInterface
public interface PlaceConsumer {
    /** Called with the beginning, and the end, exclusive. */
    void accept(int begin, int end);
}
