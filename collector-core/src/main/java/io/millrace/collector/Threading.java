package io.millrace.collector;

/** Which threads the receiver and the journal writer of a shard run on. */
public enum Threading {
    /** One thread for both: cheaper, and the better choice on few CPUs. */
    SHARED,
    /** A thread for each: the receiver goes on while the writer waits for memory or disk. */
    DEDICATED,
    /** Dedicated if every one of these threads can have a CPU of its own and there are at least four, else shared. */
    AUTO;

    Threading resolve(int receivers, int cpus) {
        if (this != AUTO) {
            return this;
        }
        return cpus >= 4 && 2 * receivers <= cpus ? DEDICATED : SHARED;
    }
}
