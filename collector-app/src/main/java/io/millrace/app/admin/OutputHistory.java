package io.millrace.app.admin;

import io.millrace.sink.SinkStatus;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** How each output has delivered in the last five minutes. One thread takes samples; any thread may read. */
final class OutputHistory {
    /** Seconds between two samples. */
    static final int STEP = 5;

    private static final int SAMPLES = 60;

    private final Map<String, Deque<Sample>> samples = new HashMap<>();

    private record Sample(long acked, long lagMs) {}

    /** Lines of an output, the oldest value first. */
    record Lines(List<Long> perSecond, List<Long> lagMs) {}

    /** Takes a sample of each output; those that were removed are forgotten. */
    synchronized void sample(List<SinkStatus> outputs) {
        samples.keySet().retainAll(outputs.stream().map(SinkStatus::name).toList());
        for (SinkStatus output : outputs) {
            Deque<Sample> of = samples.computeIfAbsent(output.name(), name -> new ArrayDeque<>());
            of.addLast(new Sample(output.counts().acked(), TimeUnit.NANOSECONDS.toMillis(output.lagNs())));
            if (of.size() > SAMPLES + 1) {
                of.removeFirst();
            }
        }
    }

    /** The lines of an output; empty if it is new. */
    synchronized Lines of(String output) {
        List<Long> perSecond = new ArrayList<>();
        List<Long> lagMs = new ArrayList<>();
        Sample before = null;
        for (Sample sample : samples.getOrDefault(output, new ArrayDeque<>())) {
            if (before != null) {
                perSecond.add(Math.max(0, sample.acked() - before.acked()) / STEP);
                lagMs.add(sample.lagMs());
            }
            before = sample;
        }
        return new Lines(perSecond, lagMs);
    }
}
