package io.millrace.app.admin;

import io.millrace.collector.Collector;
import io.millrace.counters.DropReason;
import io.millrace.deliver.SinkStatus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What is wrong with the running service now.
 *
 * @param level how bad it is
 * @param text what is wrong, with its cause
 * @param remedy what to do; null if the text says it
 */
record Fault(Level level, String text, @Nullable String remedy) {
    /** The state of the service. The order is that of their badness. */
    enum Level {
        /** All is well. */
        OK,
        /** Nothing is lost, but something does not work: a destination, a certificate. */
        DEGRADED,
        /** Datagrams are lost, or nothing is received. */
        FAILING;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** All faults, the worst first. */
    static List<Fault> of(Collector collector, List<String> problems, History history) {
        List<Fault> faults = new ArrayList<>();
        problems.forEach(problem -> faults.add(new Fault(Level.FAILING, problem, null)));
        for (DropReason reason : DropReason.values()) {
            Long lost = reason.isOurs() && !reason.isByPolicy() ? history.lostInMinute(reason) : null;
            if (lost != null && lost > 0) {
                String text = String.format(
                        Locale.ROOT, "%,d datagrams were lost in the last minute: %s", lost, reason.title());
                faults.add(new Fault(Level.FAILING, text, remedy(reason)));
            }
        }
        for (SinkStatus output : collector.outputs()) {
            if (output.problem() != null) {
                faults.add(new Fault(
                        Level.DEGRADED,
                        String.format(
                                Locale.ROOT,
                                "output %s does not deliver, %,d are pending: %s",
                                output.name(),
                                output.pending(),
                                output.problem()),
                        "the journal keeps what is pending, as long as its retention allows"));
            }
        }
        collector.warnings().forEach(warning -> faults.add(new Fault(Level.DEGRADED, warning, null)));
        return List.copyOf(faults);
    }

    private static @Nullable String remedy(DropReason reason) {
        return switch (reason) {
            case SOCKET_BUFFER -> "'millrace doctor' says which buffer or limit is too small";
            case JOURNAL_FULL -> "make room on the disk, or set journal.retention";
            default -> null;
        };
    }

    /** The level of the worst. */
    static Level worst(List<Fault> faults) {
        return faults.stream().map(Fault::level).max(Comparator.naturalOrder()).orElse(Level.OK);
    }

    /** The text with the remedy. */
    String line() {
        return remedy == null ? text : text + " (" + remedy + ")";
    }
}
