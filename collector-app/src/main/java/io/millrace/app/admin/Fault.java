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
 * @param summary what is wrong, for anybody who can reach the service
 * @param detail its cause, such as what a destination has answered; null if the summary says it
 * @param remedy what to do; null if the text says it
 */
record Fault(
        Level level,
        String summary,
        @Nullable String detail,
        @Nullable String remedy) {
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
        problems.forEach(problem -> faults.add(new Fault(Level.FAILING, problem, null, null)));
        for (DropReason reason : DropReason.values()) {
            Long lost = reason.isOurs() && !reason.isByPolicy() ? history.lostInMinute(reason) : null;
            if (lost != null && lost > 0) {
                String text = String.format(
                        Locale.ROOT, "%,d datagrams were lost in the last minute: %s", lost, reason.title());
                faults.add(new Fault(Level.FAILING, text, null, remedy(reason)));
            }
        }
        for (SinkStatus output : collector.outputs()) {
            if (output.problem() != null) {
                faults.add(new Fault(
                        Level.DEGRADED,
                        String.format(
                                Locale.ROOT,
                                "output %s does not deliver, %,d are pending",
                                output.name(),
                                output.pending()),
                        output.problem(),
                        "the journal keeps what is pending, as long as its retention allows"));
            }
            if (output.expired() > 0) {
                faults.add(new Fault(
                        Level.FAILING,
                        String.format(
                                Locale.ROOT,
                                "%,d datagrams were deleted before output %s read them",
                                output.expired(),
                                output.name()),
                        null,
                        "give journal.retention more room, or set its unread to keep"));
            }
        }
        collector.warnings().forEach(warning -> faults.add(new Fault(Level.DEGRADED, warning, null, null)));
        faults.sort(Comparator.comparing(Fault::level).reversed());
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

    /** What is wrong, with its cause. */
    String text() {
        return detail == null ? summary : summary + ": " + detail;
    }

    /** The text with the remedy. */
    String line() {
        return remedy == null ? text() : text() + " (" + remedy + ")";
    }
}
