package io.millrace.internal.sources;

import org.jspecify.annotations.Nullable;

/** A datagram that was read and is not counted yet. Reused. One thread. */
final class PendingDatagram {
    long high;
    long low;
    int hash;
    long timeNs;
    int bytes;
    int shard;

    /** Its sequence number; {@link SequenceNumber#scheme} is null if it has none. */
    final SequenceNumber number = new SequenceNumber();

    /** Its source, looked up before counting; null if it was unknown. */
    private @Nullable KnownSource found;

    void setFound(@Nullable KnownSource source) {
        found = source;
    }

    /** The source that was found; null if it was unknown, or if the object stands for another source now. */
    @Nullable
    KnownSource found() {
        return found != null && found.low == low && found.high == high ? found : null;
    }
}
