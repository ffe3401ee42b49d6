package io.millrace.sender;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Sends one thread's share of a plan, each GSO batch at its time or, when it is late, at once: the schedule is never
 * shifted, and the time in the payload is the one that was meant, so what a stall costs shows in every datagram it
 * delayed.
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
    private final int thread;
    private final Payloads payloads;
    private final Transmitter transmitter;
    private final Pacer pacer;
    private final Deal deal;
    private final ByteBuffer datagrams;
    private final boolean scheduled;
    private final long grainNanos;
    private final Tally tally = new Tally();
    private final AtomicLong sentForOthers = new AtomicLong();
    private long startMicros;
    private long startNanoTime;
    private boolean broken;

    /** The share of one thread, from 0, of those the layout has. */
    Sender(SendPlan plan, int thread, Payloads payloads, Transmitter transmitter, WaitClock clock) {
        this.plan = plan;
        this.thread = thread;
        this.payloads = payloads;
        this.transmitter = transmitter;
        this.pacer = new Pacer(clock);
        this.deal = new Deal(plan.layout(), thread, plan.count());
        this.datagrams = ByteBuffer.allocateDirect(plan.layout().gso() * payloads.most());
        this.scheduled = !plan.schedule().isMax();
        this.grainNanos = transmitter.grainNanos();
    }

    /** Sends all of the share, in this thread. */
    Tally run(Start start) {
        startMicros = start.epochMicros();
        startNanoTime = start.nanoTime();
        pacer.start(start.nanoTime());
        while (deal.next() && sendNext()) {
            // Until the last.
        }
        finish();
        return tally;
    }

    private boolean sendNext() {
        long due = plan.dueNanos(deal.first());
        if (due >= plan.deadlineNanos()) {
            return false; // a warm-up ends before the plan does, and waits for nothing beyond it
        }
        if (due > pacer.lastNanos() && !idle()) {
            return false;
        }
        long now = pacer.await(due, grainNanos);
        if (now == Pacer.STOPPED || now >= plan.deadlineNanos()) {
            return false;
        }
        long intended = scheduled ? due : now;
        int bytes = put(startMicros + intended / 1000);
        int length = deal.length();
        transmitter.due(scheduled ? startNanoTime + due : 0);
        if (send(deal.source(), bytes)) {
            // What a send waits for is lateness of what it sends.
            long late = scheduled ? pacer.elapsedNanos() - due : 0;
            tally.countSent(length, bytes, late, LATE_NANOS);
            sentForOthers.setOpaque(tally.sent);
        } else {
            tally.failed += length;
        }
        return true;
    }

    private boolean idle() {
        try {
            transmitter.idle();
            return true;
        } catch (IOException e) {
            tally.countError(e);
            breakOff();
            return false;
        }
    }

    /** Writes the GSO batch's datagrams one behind the other, and returns how long they are together. */
    private int put(long intendedMicros) {
        int at = 0;
        long first = deal.first();
        int source = deal.source();
        // The cast keeps the low 32 bits, as the format has it.
        int sequence = (int) deal.sequence();
        for (int i = 0; i < deal.length(); i++) {
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
                // Somebody interrupted this thread, which closes the channel, or there is nobody to send any more: no
                // later datagram can be sent either.
                tally.countError(e);
                breakOff();
                break;
            } catch (IOException e) {
                // A refusal is word of an earlier datagram. The kernel hands it out in place of sending, so this one
                // still has to go.
                tally.countError(e);
            }
        }
        datagrams.clear();
        return false;
    }

    /** What is known only now: what a helper did, and the report of a source's last datagram, which has no later send. */
    private void finish() {
        try {
            transmitter.drain(tally);
        } catch (IOException e) {
            tally.countError(e);
        }
        tally.runNanos = pacer.elapsedNanos();
        try {
            transmitter.finish(thread, plan.layout().threads(), tally);
        } catch (IOException e) {
            tally.countError(e);
        }
        sentForOthers.setOpaque(tally.sent);
    }

    private void breakOff() {
        broken = true;
        stop();
    }

    /** True if the run ended because nothing could be sent any more, and not because somebody asked it to. */
    boolean isBroken() {
        return broken;
    }

    /** Asks the run to end before its next datagram. */
    void stop() {
        pacer.stop();
    }

    boolean isStopped() {
        return pacer.isStopped();
    }

    /** How many datagrams have been sent so far, perhaps a little behind. */
    long sent() {
        return sentForOthers.getOpaque();
    }
}
