package io.millrace.sender;

import java.io.IOException;
import java.net.PortUnreachableException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Sends a plan's datagrams, each at its time or, when it is late, at once: the schedule is never shifted, and the time
 * in the payload is the one that was meant, so what a stall costs shows in every datagram it delayed.
 *
 * <p>Sources take turns, each counting its own sequence from 0. A number is used once: the datagram either was sent, or
 * is counted as failed.
 *
 * <p>One thread calls {@link #run}, once; {@link #stop} and {@link #sent} may be called from any.
 */
final class Sender {
    static final int MAX_TRIES = 3;
    static final long LATE_NANOS = 1_000_000;

    private final SendPlan plan;
    private final Transmitter transmitter;
    private final WaitClock clock;
    private final Pacer pacer;
    private final AtomicLong sentForOthers = new AtomicLong();

    private long sent;
    private long failed;
    private long refused;
    private long sendErrors;
    private long late;
    private long maxLateNanos;
    private @Nullable IOException firstError;
    private @Nullable IOException lastError;

    Sender(SendPlan plan, Transmitter transmitter, WaitClock clock) {
        this.plan = plan;
        this.transmitter = transmitter;
        this.clock = clock;
        this.pacer = new Pacer(clock);
    }

    SendResult run() {
        ByteBuffer datagram = ByteBuffer.allocateDirect(plan.size());
        SequencePayload.pad(datagram, 0, plan.size());
        boolean scheduled = !plan.rate().isMax();
        int source = 0;
        long sequence = 0;
        pacer.start();
        long startMicros = clock.epochMicros();
        for (long n = 0; n < plan.count(); n++) {
            long due = plan.rate().dueNanos(n);
            long now = pacer.await(due);
            if (now == Pacer.STOPPED || now >= plan.deadlineNanos()) {
                break;
            }
            long intended = scheduled ? due : now;
            // The casts keep the low 32 bits, as the format has it.
            SequencePayload.encode(
                    datagram, 0, plan.runId(), source, (int) sequence, (int) (startMicros + intended / 1000));
            if (send(source, datagram)) {
                countSent(now - intended);
            } else {
                failed++;
            }
            if (++source == plan.sources()) {
                source = 0;
                sequence++;
            }
        }
        long elapsedNanos = pacer.elapsedNanos();
        countLastRefused();
        return result(elapsedNanos);
    }

    /** The report of a source's last datagram has no later send to come with. */
    private void countLastRefused() {
        for (int source = 0; source < plan.sources(); source++) {
            try {
                if (transmitter.wasLastRefused(source)) {
                    refused++;
                }
            } catch (IOException e) {
                countError(e);
            }
        }
    }

    /** Asks the run to end before its next datagram. */
    void stop() {
        pacer.stop();
    }

    /** How many datagrams have been sent so far, perhaps a little behind. */
    long sent() {
        return sentForOthers.getOpaque();
    }

    private boolean send(int source, ByteBuffer datagram) {
        for (int tries = 0; tries < MAX_TRIES; tries++) {
            datagram.clear();
            try {
                transmitter.send(source, datagram);
                return true;
            } catch (PortUnreachableException e) {
                // Word of an earlier datagram. The kernel hands it out in place of sending, so this one still has to
                // go.
                refused++;
            } catch (ClosedChannelException e) {
                // Somebody interrupted this thread, which closes the channel: no later datagram can be sent either.
                countError(e);
                stop();
                return false;
            } catch (IOException e) {
                countError(e);
            }
        }
        return false;
    }

    private void countSent(long lateNanos) {
        sent++;
        sentForOthers.setOpaque(sent);
        if (lateNanos > LATE_NANOS) {
            late++;
        }
        if (lateNanos > maxLateNanos) {
            maxLateNanos = lateNanos;
        }
    }

    private void countError(IOException e) {
        sendErrors++;
        if (firstError == null) {
            firstError = e;
        }
        lastError = e;
    }

    private SendResult result(long elapsedNanos) {
        return new SendResult(
                sent,
                failed,
                refused,
                sendErrors,
                late,
                maxLateNanos,
                elapsedNanos,
                plan.rate().dueNanos(sent + failed),
                pacer.isStopped(),
                text(firstError),
                text(lastError));
    }

    private static @Nullable String text(@Nullable IOException e) {
        if (e == null) {
            return null;
        }
        String message = e.getMessage();
        return message == null ? e.getClass().getSimpleName() : message;
    }
}
