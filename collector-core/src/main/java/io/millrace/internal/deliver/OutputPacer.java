package io.millrace.internal.deliver;

import io.millrace.internal.journal.AppendSignal;
import io.millrace.sink.SinkSettings;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Decides how long an output sleeps between two calls of {@link Delivery#doWork}. The rule: an output reads new messages at most
 * once per {@code linger}, or earlier if they fill a batch. So a message after a pause is read at once, and those that follow it
 * are read together. While nothing arrives, the output sleeps without a time limit of its own.
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
        /** For the next messages: everything was read. */
        MORE,
        /** For the sink, which has as many batches as it can take. */
        ANSWER,
        /** For the time of the next attempt. */
        RETRY,
        /** For the sink, at the stop. */
        END
    }

    private final AppendSignal.Reader reader;
    private final LongSupplier clock;
    private final long batchBytes;
    private final long lingerNs;
    private Wait wait = Wait.NONE;
    /** When the planned sleep ends without a reason. */
    private long limitAtNs;
    /** When messages that do not fill a batch may be read. */
    private long readableAtNs;
    /** True if there were new messages when the output began to read. */
    private boolean reads;

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

    /** Creates a pacer for one output, with a monotonic clock in ns. */
    OutputPacer(AppendSignal.Reader reader, SinkSettings settings, LongSupplier clock) {
        this.reader = reader;
        this.clock = clock;
        this.batchBytes = settings.batchBytes();
        this.lingerNs = pause(settings).toNanos();
        this.readableAtNs = clock.getAsLong();
    }

    /** The output is about to read the journal and to look at the sink's answers. */
    void begin() {
        answered = false;
        reads = reader.hasGrown(1);
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
        long nowNs = clock.getAsLong();
        wait = next;
        limitAtNs = nowNs + Math.max(0, Math.min(atMostNs, QUIET_NS));
        if (reads) {
            readableAtNs = nowNs + lingerNs;
        }
    }

    /** Sleeps as {@link #plan} decided. Ignores the amount of work, which the plan already reflects. */
    void idle(int workDone) {
        switch (wait) {
            case NONE -> {}
            case MORE -> awaitMore();
            case ANSWER -> awaitAnswer(Math.min(ANSWER_NS, untilNs(limitAtNs)));
            case RETRY -> reader.await(Long.MAX_VALUE, untilNs(limitAtNs));
            case END -> awaitAnswer(STOPPING_NS);
        }
        wait = Wait.NONE;
    }

    /** The sink's answers are of interest when the output would sleep for long. */
    private void awaitMore() {
        reader.await(batchBytes, Math.min(readableInNs(), untilNs(limitAtNs)));
        if (!reader.hasGrown(1)) {
            wakesOnAnswer = true;
            if (!answered) {
                reader.await(1, untilNs(limitAtNs));
            }
            wakesOnAnswer = false;
        }
    }

    /** How long until messages that do not fill a batch may be read; not positive after a pause of {@code linger}. */
    long readableInNs() {
        return untilNs(readableAtNs);
    }

    private long untilNs(long time) {
        return time - clock.getAsLong();
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
