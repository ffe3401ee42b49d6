package io.millrace.journal.write;

import io.millrace.agent.Agent;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has blocks of the disk taken for all shards before they are needed, so that appends need not wait. One thread. */
public final class Allocator implements Agent {
    /** Mostly it is woken up; where there was no room, it tries again so often. */
    private static final long IDLE_NS = TimeUnit.SECONDS.toNanos(1);

    private static final Logger LOG = LoggerFactory.getLogger(Allocator.class);

    private final List<JournalWriter> writers;
    private volatile @Nullable Thread worker;

    /** For writers that are open. */
    public Allocator(List<JournalWriter> writers) {
        this.writers = List.copyOf(writers);
        this.writers.forEach(writer -> writer.onAllocationNeeded(this::wake));
    }

    private void wake() {
        LockSupport.unpark(worker);
    }

    @Override
    public String roleName() {
        return "allocate";
    }

    /** What a thread does between two calls. */
    public static void idle(int workDone) {
        LockSupport.parkNanos(IDLE_NS);
    }

    @Override
    public int doWork() {
        worker = Thread.currentThread();
        for (JournalWriter writer : writers) {
            try {
                writer.allocateAhead();
            } catch (IOException e) {
                // The append that needs it meets it again, keeps its batch, and says so.
                LOG.debug("No blocks ahead for {}", writer.roleName(), e);
            }
        }
        return 0;
    }
}
