package io.millrace.internal.sources;

import org.jspecify.annotations.Nullable;

/** A linked list of sources in LRU order. A source is in one list at a time. One thread. */
final class RecencyList {
    private @Nullable KnownSource newest;
    private @Nullable KnownSource oldest;
    private int size;

    /** Adds a source, which must be in no list, as the newest. */
    void add(KnownSource source) {
        source.older = newest;
        source.newer = null;
        if (newest == null) {
            oldest = source;
        } else {
            newest.newer = source;
        }
        newest = source;
        size++;
    }

    void remove(KnownSource source) {
        KnownSource before = source.newer;
        KnownSource after = source.older;
        if (before == null) {
            newest = after;
        } else {
            before.older = after;
        }
        if (after == null) {
            oldest = before;
        } else {
            after.newer = before;
        }
        size--;
    }

    @Nullable
    KnownSource newest() {
        return newest;
    }

    @Nullable
    KnownSource oldest() {
        return oldest;
    }

    int size() {
        return size;
    }
}
