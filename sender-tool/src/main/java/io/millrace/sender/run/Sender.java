package io.millrace.sender.run;

import io.millrace.sender.payload.Payloads;
import io.millrace.sender.schedule.BatchIterator;
import io.millrace.sender.schedule.SendPlan;
import io.millrace.sender.transmit.FatalSendException;
import io.millrace.sender.transmit.SendCounts;
import io.millrace.sender.transmit.Transmitter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Sends one thread's part of a plan, each batch at its due time or, if it is late, at once. The schedule is never
 * shifted, and the payload contains the due time. So a stall is visible in every datagram that it delayed.
 *
 * <p>Sources send round robin, each with its own sequence from 0. A number is used once: its datagram was either sent or is
 * counted as failed.
 *
 * <p>One thread calls {@link #run}, once. Any thread may call {@link #stop} and {@link #sent}.
 */
final class Sender {
    static final int MAX_TRIES = 3;
    static final long LATE_NANOS = 1_000_000;

    private final SendPlan plan;
    private final int thread;
    private final Payloads payloads;
    private final Transmitter transmitter;
    private final Pacer pacer;
    private final BatchIterator batch;
    private final ByteBuffer datagrams;
    private final boolean scheduled;
    private final long delayNanos;
    private final SendCounts counts = new SendCounts();
    private final AtomicLong publishedSent = new AtomicLong();
    private long startMicros;
    private long startNanoTime;
    private boolean broken;

    /** The sender of one thread, numbered from 0. */
    Sender(SendPlan plan, int thread, Payloads payloads, Transmitter transmitter, WaitClock clock) {
        this.plan = plan;
        this.thread = thread;
        this.payloads = payloads;
        this.transmitter = transmitter;
        this.pacer = new Pacer(clock);
        this.batch = new BatchIterator(plan.layout(), thread, plan.count());
        this.datagrams = ByteBuffer.allocateDirect(plan.layout().segments() * payloads.maxBytes());
        this.scheduled = !plan.schedule().isMax();
        this.delayNanos = transmitter.batchDelayNanos();
    }

    /** Sends all batches of the thread, in the calling thread. */
    SendCounts run(StartTime start) {
        startMicros = start.epochMicros();
        startNanoTime = start.nanoTime();
        pacer.start(start.nanoTime());
        while (batch.next() && sendNext()) {
            // Until the last batch.
        }
        finish();
        return counts;
    }

    private boolean sendNext() {
        long due = plan.dueNanos(batch.first());
        if (due >= plan.deadlineNanos()) {
            return false; // a warm-up ends before the plan
        }
        if (due > pacer.lastNanos() && !flush()) {
            return false;
        }
        long now = pacer.await(due, delayNanos);
        if (now == Pacer.STOPPED || now >= plan.deadlineNanos()) {
            return false;
        }
        long intended = scheduled ? due : now;
        int bytes = put(startMicros + intended / 1000);
        int length = batch.size();
        transmitter.due(scheduled ? startNanoTime + due : 0);
        if (send(plan.source(batch), bytes)) {
            // The time that the send itself took counts as lateness too.
            long late = scheduled ? pacer.elapsedNanos() - due : 0;
            counts.countSent(length, bytes, late, LATE_NANOS);
            publishedSent.setOpaque(counts.sent);
        } else {
            counts.failed += length;
        }
        return true;
    }

    private boolean flush() {
        try {
            transmitter.flush();
            return true;
        } catch (IOException e) {
            counts.countError(e);
            abort();
            return false;
        }
    }

    /** Writes the datagrams of the batch one after the other and returns their total length. */
    private int put(long intendedMicros) {
        int at = 0;
        long first = batch.first();
        int source = batch.source();
        // The format has the low 32 bits.
        int sequence = (int) batch.sequence();
        for (int i = 0; i < batch.size(); i++) {
            at += payloads.put(datagrams, at, first + i, source, sequence + i, intendedMicros);
        }
        return at;
    }

    private boolean send(int source, int bytes) {
        for (int tries = 0; tries < MAX_TRIES; tries++) {
            datagrams.limit(bytes).position(0);
            try {
                transmitter.send(source, datagrams);
                datagrams.clear();
                return true;
            } catch (ClosedChannelException | FatalSendException e) {
                // An interrupt has closed the channel, or the helper has ended: no later datagram can be sent either.
                counts.countError(e);
                abort();
                break;
            } catch (IOException e) {
                // The kernel reports the refusal of an earlier datagram instead of sending this one, which is retried.
                counts.countError(e);
            }
        }
        datagrams.clear();
        return false;
    }

    /** Collects the results that are only known at the end: the helper's report and refusals of last datagrams. */
    private void finish() {
        try {
            transmitter.drain(counts);
        } catch (IOException e) {
            counts.countError(e);
        }
        counts.runNanos = pacer.elapsedNanos();
        try {
            transmitter.collectErrors(thread, plan.layout().threads(), counts);
        } catch (IOException e) {
            counts.countError(e);
        }
        publishedSent.setOpaque(counts.sent);
    }

    private void abort() {
        broken = true;
        stop();
    }

    /** True if the run ended because the transmitter failed, and not because of {@link #stop}. */
    boolean isBroken() {
        return broken;
    }

    /** Ends the run before its next datagram. */
    void stop() {
        pacer.stop();
    }

    boolean isStopped() {
        return pacer.isStopped();
    }

    /** The number of datagrams sent so far; it may lag a little. */
    long sent() {
        return publishedSent.getOpaque();
    }
}
