package io.millrace.sources;

import org.jspecify.annotations.Nullable;

/** Sources in the order in which they were last heard; a source is in one list at a time. One thread. */
final class RecencyList {
    private @Nullable KnownSource newest;
    private @Nullable KnownSource oldest;
    private int size;

    /** Puts a source that is in no list first. */
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

    /** Takes a source of this list out. */
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
