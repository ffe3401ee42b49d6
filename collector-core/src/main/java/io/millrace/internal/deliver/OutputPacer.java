package io.millrace.internal.deliver;

import io.millrace.internal.journal.AppendSignal;
import io.millrace.sink.SinkSettings;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Decides how long an output sleeps between two calls of {@link Delivery#doWork}. The output sleeps until a batch is worth
 * sending or its first message has waited for {@code linger}; while nothing arrives it sleeps without a time limit of its
 * own. So it wakes up at most once per {@code linger} under light load, and not at all when it is quiet.
 *
 * <p>One thread, but for {@link #answered} and {@link #wake}, which any thread may call.
 */
final class OutputPacer {
    private static final Duration MAX_PAUSE = Duration.ofSeconds(1);
    /** Longest sleep without a reason to wake up; a bound for what no signal tells, such as a slow destination. */
    private static final long QUIET_NS = TimeUnit.SECONDS.toNanos(10);

    private static final long ANSWER_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long STOPPING_NS = TimeUnit.MILLISECONDS.toNanos(1);

    enum Wait {
        /** For nothing: there is more to read. */
        NONE,
        /** For a batch that is worth sending: everything was read, and something was found. */
        LINGER,
        /** For something to be appended to the journal: everything was read, and nothing was found. */
        GROWTH,
        /** For the sink, which has as many batches as it can take. */
        ANSWER,
        /** For the time of the next attempt. */
        RETRY,
        /** For the sink, at the stop. */
        END
    }

    private final AppendSignal.Reader reader;
    private final long batchBytes;
    private final long lingerNs;
    private Wait wait = Wait.NONE;
    private long limitNs;
    private volatile boolean wakesOnAnswer;
    private volatile boolean answered;

    /** How long the output waits for more before it reads the journal again. */
    private static Duration pause(SinkSettings settings) {
        return settings.linger().compareTo(MAX_PAUSE) > 0 ? MAX_PAUSE : settings.linger();
    }

    /** How long a batch with records is kept and filled further; zero if it is sent once everything was read. */
    static Duration hold(SinkSettings settings) {
        return settings.linger().compareTo(MAX_PAUSE) > 0 ? settings.linger() : Duration.ZERO;
    }

    OutputPacer(AppendSignal.Reader reader, SinkSettings settings) {
        this.reader = reader;
        this.batchBytes = settings.batchBytes();
        this.lingerNs = pause(settings).toNanos();
    }

    /** The output is about to read the journal and to look at the sink's answers. */
    void begin() {
        answered = false;
        reader.mark();
    }

    /** True if something was appended since {@link #begin}. */
    boolean hasGrown() {
        return reader.hasGrown(1);
    }

    /**
     * Sets what the next {@link #idle} waits for.
     *
     * @param atMostNs how long, at most
     */
    void plan(Wait next, long atMostNs) {
        wait = next;
        limitNs = Math.max(0, Math.min(atMostNs, QUIET_NS));
    }

    /** Sleeps as {@link #plan} decided. Ignores the amount of work, which the plan already reflects. */
    void idle(int workDone) {
        switch (wait) {
            case NONE -> {}
            case LINGER -> {
                reader.await(batchBytes, Math.min(lingerNs, limitNs));
                if (!reader.hasGrown(1)) {
                    awaitGrowth();
                }
            }
            case GROWTH -> awaitGrowth();
            case ANSWER -> awaitAnswer(Math.min(ANSWER_NS, limitNs));
            case RETRY -> reader.await(Long.MAX_VALUE, limitNs);
            case END -> awaitAnswer(STOPPING_NS);
        }
        wait = Wait.NONE;
    }

    /** A batch that begins now may wait for {@code linger}; the sink's answers are of interest until then. */
    private void awaitGrowth() {
        wakesOnAnswer = true;
        if (!answered) {
            reader.await(1, limitNs);
        }
        wakesOnAnswer = false;
        if (!answered && reader.hasGrown(1)) {
            reader.await(batchBytes, lingerNs);
        }
    }

    private void awaitAnswer(long ns) {
        wakesOnAnswer = true;
        if (!answered) {
            reader.await(Long.MAX_VALUE, ns);
        }
        wakesOnAnswer = false;
    }

    /** The sink is done with a batch. Any thread. */
    void answered() {
        answered = true;
        if (wakesOnAnswer) {
            reader.wake();
        }
    }

    /** Ends the sleep: the stop begins. Any thread. */
    void wake() {
        reader.wake();
    }

    /** The output sleeps no more. */
    void close() {
        reader.close();
    }
}
