package io.millrace.internal.receive;

import io.netty.channel.IoEventLoop;
import java.util.concurrent.TimeUnit;

/**
 * When an event loop runs its next pass: after the events that it has taken from the kernel. These may be reads of thousands of
 * connections, so the schedule also knows when the pass is overdue. The loop's thread.
 */
final class PassSchedule {
    /** A receive buffer of 4 MiB holds 800,000 small datagrams per second for so long. */
    private static final long OVERDUE_NS = TimeUnit.MILLISECONDS.toNanos(5);

    private final IoEventLoop loop;
    private final Runnable pass;
    private boolean scheduled;
    private long sinceNs;

    PassSchedule(IoEventLoop loop, Runnable pass) {
        this.loop = loop;
        this.pass = pass;
    }

    /** Schedules one pass for all sockets that the event loop reports at once. */
    void schedule() {
        if (!scheduled) {
            loop.execute(pass);
            scheduled = true;
            sinceNs = System.nanoTime();
        }
    }

    void begin() {
        scheduled = false;
    }

    boolean isOverdue() {
        return scheduled && System.nanoTime() - sinceNs > OVERDUE_NS;
    }

    /** Its cycle has run in between: the pass is overdue after as long again. */
    void postpone() {
        sinceNs = System.nanoTime();
    }
}
