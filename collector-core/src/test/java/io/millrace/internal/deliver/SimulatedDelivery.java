package io.millrace.internal.deliver;

import io.millrace.internal.counters.CounterFile;
import io.millrace.internal.gelf.ExpandedPayloads;
import io.millrace.internal.journal.AppendSignal;
import io.millrace.internal.journal.OutputProgress;
import io.millrace.journal.Journal;
import io.millrace.sink.Sink;
import io.millrace.sink.SinkSettings;
import java.io.IOException;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/** A {@link Delivery} that the simulation steps. */
public final class SimulatedDelivery {
    private final Delivery delivery;
    private final SinkSettings settings;
    private final Journal journal;

    public SimulatedDelivery(
            SinkSettings settings,
            Sink sink,
            Journal journal,
            CounterFile counters,
            AppendSignal appends,
            LongSupplier clock,
            RandomGenerator random) {
        this.settings = settings;
        this.journal = journal;
        delivery = new Delivery(
                settings, sink, journal, counters, appends.newReader(), new ExpandedPayloads(), clock, random);
    }

    public int doWork() {
        return delivery.doWork();
    }

    public void stop(long endNs) {
        delivery.stop(endNs);
    }

    public boolean isFinished() {
        return delivery.isFinished();
    }

    public OutputProgress acknowledged() {
        return delivery.acknowledged();
    }

    /** Passes on shard and sequence of each dead letter. */
    public void deadLetters(BiConsumer<Integer, Long> each) throws IOException {
        try (DeadLetters letters = new DeadLetters(journal, settings)) {
            letters.places().forEach(place -> each.accept(place.shard(), place.sequence()));
        }
    }
}
