package io.millrace.journal;

/**
 * What is known of a shard's sequence numbers besides its files.
 *
 * @param given the number after the last that a datagram got, as counters and outputs say; -1 if they say nothing
 * @param expired the number after the last that retention deleted; 0 for none
 */
record KnownNumbers(long given, long expired) {
    /** Neither counters nor outputs say anything. */
    static final KnownNumbers NONE = new KnownNumbers(-1, 0);

    /** The same, if it is known from elsewhere that so many were given. */
    KnownNumbers atLeast(long next) {
        return new KnownNumbers(Math.max(given, next), expired);
    }
}
