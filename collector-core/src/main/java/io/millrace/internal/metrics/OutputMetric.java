package io.millrace.internal.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.sink.Adjustment;
import io.millrace.sink.Refusal;
import io.millrace.sink.SinkStatus;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The metrics of an output: the only definition of their names and meanings. */
enum OutputMetric {
    ACKED(
            "acked.datagrams",
            true,
            "Datagrams that the destination has acknowledged",
            status -> status.counts().acked()),
    FILTERED(
            "filtered.datagrams",
            true,
            "Datagrams that the output's filter excluded",
            status -> status.counts().filtered()),
    DEAD_LETTERED(
            "dead.lettered.datagrams",
            true,
            "Datagrams that the destination rejected, kept as dead letters",
            status -> status.counts().deadLettered()),
    DEAD_LETTERS_DELETED(
            "dead.letters.deleted",
            true,
            "Dead letters deleted because of the size limit",
            SinkStatus::deadLettersDeleted),
    FILES_DELETED(
            "files.deleted",
            true,
            "Files that an output of type file deleted, because keep says so",
            SinkStatus::filesDeleted),
    MISSING(
            "missing.datagrams",
            true,
            "Datagrams that were no longer in the journal",
            status -> status.counts().missing()),
    RETRIES("retries", true, "Attempts to send a batch that failed", SinkStatus::retries),
    BATCHES("batches", true, "Batches that the destination has acknowledged", SinkStatus::batches),
    ACK_SECONDS(
            "ack.seconds",
            true,
            "Time from the first attempt to the acknowledgement, of all batches",
            status -> status.ackTotalNs() / 1e9),
    ACK_MAX(
            "ack.max.seconds",
            false,
            "The longest time from the first attempt to the acknowledgement of a batch",
            status -> status.ackMaxNs() / 1e9),
    PENDING("pending.datagrams", false, "Datagrams in the journal that are not delivered", SinkStatus::pending),
    EXPIRED(
            "expired.datagrams",
            false,
            "Datagrams that retention deleted before the output read them; they count as missing when the output"
                    + " reaches them",
            SinkStatus::expired),
    PENDING_BYTES(
            "pending.bytes",
            false,
            "Approximate size of the pending datagrams in the journal",
            SinkStatus::pendingBytes),
    LAG("lag.seconds", false, "Age of the oldest datagram that is not delivered", status -> status.lagNs() / 1e9),
    IN_FLIGHT(
            "in.flight.records",
            false,
            "Records that the destination has not answered yet",
            SinkStatus::inFlightRecords),
    FAILING("failing", false, "1 while the output cannot deliver, else 0", status -> status.problem() == null ? 0 : 1),
    FINISHED(
            "finished",
            false,
            "1 once an output with an end (to) has delivered everything up to it, else 0",
            status -> status.finished() ? 1 : 0);

    private static final String OUTPUT = CollectorMeters.PREFIX + "output.";
    private static final String TAG = "output";

    private final String metricName;
    private final boolean total;
    private final String help;

    @SuppressWarnings("ImmutableEnumChecker") // The functions have no state.
    private final ToDoubleFunction<SinkStatus> value;

    OutputMetric(String name, boolean total, String help, ToDoubleFunction<SinkStatus> value) {
        this.metricName = OUTPUT + name;
        this.total = total;
        this.help = help;
        this.value = value;
    }

    /** The name of the output of a meter; null if it is another meter. */
    static @Nullable String output(Meter.Id id) {
        return id.getName().startsWith(OUTPUT) ? id.getTag(TAG) : null;
    }

    void register(MeterRegistry registry, String output, Supplier<List<SinkStatus>> outputs) {
        // The registry references the object of a meter weakly, so the object is this constant, which is never
        // collected.
        ToDoubleFunction<OutputMetric> now = metric -> ask(outputs, output, metric.value);
        if (total) {
            FunctionCounter.builder(metricName, this, now)
                    .description(help)
                    .tag(TAG, output)
                    .register(registry);
        } else {
            Gauge.builder(metricName, this, now)
                    .description(help)
                    .tag(TAG, output)
                    .register(registry);
        }
    }

    /** Registers the meters with a label for the reason. */
    static void registerKinds(MeterRegistry registry, String output, Supplier<List<SinkStatus>> outputs) {
        for (Refusal kind : Refusal.values()) {
            FunctionCounter.builder(
                            OUTPUT + "refused.records",
                            kind,
                            it -> ask(
                                    outputs, output, status -> status.refused().getOrDefault(it, 0L)))
                    .description("Records that became dead letters, by reason")
                    .tag(TAG, output)
                    .tag("kind", kind.code())
                    .register(registry);
        }
        for (Adjustment how : Adjustment.values()) {
            FunctionCounter.builder(
                            OUTPUT + "adjusted.records",
                            how,
                            it -> ask(
                                    outputs, output, status -> status.adjusted().getOrDefault(it, 0L)))
                    .description("Records that were truncated or renamed, so that the destination accepts them")
                    .tag(TAG, output)
                    .tag("how", how.code())
                    .register(registry);
        }
    }

    private static double ask(
            Supplier<List<SinkStatus>> outputs, String output, ToDoubleFunction<SinkStatus> question) {
        return outputs.get().stream()
                .filter(status -> status.name().equals(output))
                .mapToDouble(question)
                .findFirst()
                .orElse(Double.NaN);
    }
}
