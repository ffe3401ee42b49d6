package io.millrace.internal.journal.write;

import io.millrace.internal.agent.Agent;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The agent that allocates disk blocks and reserves sequence numbers for all shards ahead of time, so that appends do not wait for it. One thread.
 */
public final class Allocator implements Agent {
    /** The retry interval when the disk is full. */
    private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(1);

    /** Normally a writer wakes the thread. */
    private static final long IDLE_NS = TimeUnit.SECONDS.toNanos(60);

    private static final Logger LOG = LoggerFactory.getLogger(Allocator.class);

    private final List<JournalWriter> writers;
    private boolean failed;
    private volatile @Nullable Thread worker;

    /** Creates an allocator for open writers. */
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

    /** The idle strategy for the allocator's thread. */
    public void idle(int workDone) {
        LockSupport.parkNanos(this, failed ? RETRY_NS : IDLE_NS);
    }

    @Override
    public int doWork() {
        worker = Thread.currentThread();
        failed = true;
        int done = 0;
        for (JournalWriter writer : writers) {
            try {
                writer.allocateAhead();
                done++;
            } catch (IOException e) {
                // The append that needs the blocks fails too. It keeps its batch and logs the error.
                LOG.debug("Cannot allocate ahead for {}", writer.roleName(), e);
            }
        }
        failed = done < writers.size();
        return 0;
    }
}
