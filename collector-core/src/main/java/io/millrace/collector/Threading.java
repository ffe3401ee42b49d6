package io.millrace.collector;

/** The threads of a shard's receiver and journal writer. */
public enum Threading {
    /** One thread for both: cheaper, and the better choice on few CPUs. */
    SHARED,
    /** A thread for each: the receiver continues while the writer waits for memory or disk. */
    DEDICATED,
    /** Dedicated if there are at least four CPUs and one for each of these threads, else shared. */
    AUTO;

    Threading resolve(int receivers, int cpus) {
        if (this != AUTO) {
            return this;
        }
        return cpus >= 4 && 2 * receivers <= cpus ? DEDICATED : SHARED;
    }
}
