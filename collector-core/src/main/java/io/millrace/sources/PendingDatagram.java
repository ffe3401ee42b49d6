package io.millrace.sources;

import org.jspecify.annotations.Nullable;

/** What source tracking has read of a datagram until it counts it. Reused. One thread. */
final class PendingDatagram {
    long high;
    long low;
    int hash;
    long timeNs;
    int bytes;
    int shard;

    /** Its sequence number; {@link SequenceNumber#scheme} is null if it has none. */
    final SequenceNumber number = new SequenceNumber();

    /** The known source, found ahead; null if it was unknown. */
    private @Nullable KnownSource found;

    boolean isFrom(PendingDatagram other) {
        return low == other.low && high == other.high;
    }

    void setFound(@Nullable KnownSource source) {
        found = source;
    }

    /** The source that was found; null if it was unknown, or if the object stands for another source now. */
    @Nullable
    KnownSource found() {
        return found != null && found.low == low && found.high == high ? found : null;
    }
}
