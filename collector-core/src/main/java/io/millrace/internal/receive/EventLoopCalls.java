package io.millrace.internal.receive;

import io.netty.channel.IoEventLoop;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs tasks on the thread of an event loop, and waits for their results. Any other thread. */
final class EventLoopCalls {
    /** How much longer than its time limit a call may take, in ns. */
    static final long GRACE_NS = 5_000_000_000L;

    private final IoEventLoop loop;
    private final String name;

    EventLoopCalls(IoEventLoop loop, String name) {
        this.loop = loop;
        this.name = name;
    }

    /** Runs a task on the loop's thread, and waits for it for the given time and {@link #GRACE_NS}. */
    <T> T call(long boundNs, Callable<T> task) throws IOException {
        try {
            if (loop.isTerminated()) {
                throw new IOException(name + " has ended");
            }
            return loop.submit(task).get(boundNs + GRACE_NS, TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException cause) {
                throw cause;
            }
            throw new IOException(name + " failed: " + e.getCause(), e.getCause());
        } catch (RejectedExecutionException e) {
            throw new IOException(name + " has ended", e);
        } catch (TimeoutException e) {
            throw new IOException(name + " does not answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(name + ": interrupted while waiting", e);
        }
    }
}
