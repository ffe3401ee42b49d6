package io.millrace.internal.sources;

import org.jspecify.annotations.Nullable;

/** The sequence number of a datagram. Reused. One thread. */
final class SequenceNumber {
    /** The numbering scheme; {@link NumberingScheme#HOST} for RFC 5424, null if there is no number. */
    @Nullable
    NumberingScheme scheme;

    long number;

    /** The key of the stream among those of the source with the same scheme. */
    long key;

    /** The key of the stream for {@link NumberingScheme#PROGRAM}. */
    long programKey;
}
