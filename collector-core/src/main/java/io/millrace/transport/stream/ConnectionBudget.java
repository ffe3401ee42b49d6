package io.millrace.transport.stream;

import io.millrace.linux.FileLimit;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How many connections all inputs may have together, so that strangers cannot take the descriptors with which the journal
 * begins its next file, outputs write, and commands are answered. It counts connections instead of descriptors, because they
 * are what strangers can open, and counting them costs nothing. Any thread.
 */
final class ConnectionBudget {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionBudget.class);
    /** Descriptors that connections do not get: for the JVM, the journal, admin HTTP, and outputs with up to 128 files each. */
    private static final long RESERVE = 1024;

    private final long max;
    private final AtomicInteger open = new AtomicInteger();

    /**
     * Creates the budget.
     *
     * @param fileLimit the limit of open files of this process; half of a small one is for connections
     */
    ConnectionBudget(long fileLimit) {
        this.max = fileLimit - Math.min(fileLimit / 2, RESERVE);
    }

    /** The budget of this process. Warns if it is less than what the inputs may have. */
    static ConnectionBudget ofProcess(List<StreamInput> inputs) {
        long limit = FileLimit.ofSelf();
        ConnectionBudget budget = new ConnectionBudget(limit);
        long wanted = inputs.stream()
                .filter(input -> input.endpoint().isStream())
                .mapToLong(input -> input.settings().maxConnections())
                .sum();
        if (wanted > budget.max) {
            LOG.warn(String.format(
                    Locale.ROOT,
                    "The inputs may have %,d connections, but with a limit of %,d open files they get %,d, and more are"
                            + " refused. Set LimitNOFILE=%d in the unit, or ulimit -n %d; or lower maxConnections",
                    wanted,
                    limit,
                    budget.max,
                    wanted + RESERVE,
                    wanted + RESERVE));
        }
        return budget;
    }

    /** Takes a place, which {@link #release} frees; false if there is none. */
    boolean take() {
        if (open.incrementAndGet() <= max) {
            return true;
        }
        open.decrementAndGet();
        return false;
    }

    /** Takes a place for a connection that is open already. */
    void adopt() {
        open.incrementAndGet();
    }

    void release() {
        open.decrementAndGet();
    }
}
