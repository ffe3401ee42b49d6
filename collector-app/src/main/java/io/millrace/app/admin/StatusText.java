package io.millrace.app.admin;

import io.millrace.app.fault.Fault;
import io.millrace.app.fault.FaultKind;
import io.millrace.collector.Collector;
import io.millrace.collector.DropReason;
import io.millrace.collector.Ledger;
import io.millrace.collector.SourcesStatus;
import io.millrace.internal.text.ByteSize;
import io.millrace.internal.text.DurationText;
import io.millrace.sink.SinkStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Formatter of the status as one screen: the worst first. Any thread. */
final class StatusText {
    private static final int MAX_SOURCES = 5;

    private final Collector collector;
    private final History history;
    private final String version;

    StatusText(Collector collector, History history, String version) {
        this.collector = collector;
        this.history = history;
        this.version = version;
    }

    /**
     * The screen.
     *
     * @param faults what is wrong, the worst first
     */
    String page(boolean ready, List<Fault> faults) {
        StringBuilder page = new StringBuilder();
        Ledger ledger = collector.ledger();
        List<SinkStatus> outputs = collector.outputs();
        line(
                page,
                "millrace %s, %s%s, %s",
                version,
                state(ready, faults),
                silent(collector.sources()),
                up(ledger.startedAt()));
        page.append(faults(faults));
        line(
                page,
                "data %s, %s free%n",
                collector.settings().dataDirectory().toAbsolutePath().normalize(),
                ByteSize.text(collector.settings().dataDirectory().toFile().getUsableSpace()));
        rates(page, ledger, !outputs.isEmpty());
        losses(page, ledger);
        outputs.forEach(output -> output(page, output));
        sources(page, collector.sources());
        return page.toString();
    }

    /** The state in one or two words. */
    static String state(boolean ready, List<Fault> faults) {
        Fault.Level level = Fault.worst(faults);
        return !ready ? "NOT READY" : level.compareTo(Fault.Level.NOTICE) <= 0 ? "ready" : level.word();
    }

    /** How many sources are silent, as the continuation of the state; empty for none. They do not change it. */
    static String silent(@Nullable SourcesStatus sources) {
        long count = sources == null ? 0 : sources.silentCount();
        return count == 0
                ? ""
                : String.format(Locale.ROOT, count == 1 ? ", %,d source is silent" : ", %,d sources are silent", count);
    }

    /** A line for each fault, with its page of the documentation. Silent sources have a list of their own on the page. */
    static String faults(List<Fault> faults) {
        StringBuilder lines = new StringBuilder();
        faults.stream()
                .filter(fault -> fault.kind() != FaultKind.SOURCE_SILENT)
                .forEach(fault ->
                        line(lines, "  %s: %s; see docs/%s", fault.level().word(), fault.line(), fault.page()));
        return lines.toString();
    }

    private static String up(@Nullable Instant start) {
        if (start == null) {
            return "starting";
        }
        return "up " + DurationText.of(Duration.between(start, Instant.now()));
    }

    private void rates(StringBuilder page, Ledger ledger, boolean hasOutputs) {
        line(page, "%-10s %15s %17s", "", "per second", "since the start");
        line(page, "%-10s %15s %,17d", "received", rate(History.Measure.RECEIVED), ledger.received());
        line(page, "%-10s %15s %,17d", "journaled", rate(History.Measure.JOURNALED), ledger.journaled());
        // No total: a message counts once for each output that acknowledged it.
        line(
                page,
                "%-10s %15s %17s  (%s)",
                "delivered",
                hasOutputs ? rate(History.Measure.DELIVERED) : "-",
                "-",
                hasOutputs ? "all outputs together; acknowledged by each: below" : "no outputs");
    }

    private String rate(History.Measure measure) {
        double rate = history.rate(measure);
        return Double.isNaN(rate) ? "-" : String.format(Locale.ROOT, "%,.0f", rate);
    }

    /** Only those with a loss, and what is unknown. */
    private void losses(StringBuilder page, Ledger ledger) {
        boolean any = false;
        for (DropReason reason : DropReason.values()) {
            Long count = reason.now(ledger);
            if (reason.isOurs() && !Objects.equals(count, 0L)) {
                any |= !reason.isByPolicy();
                Long minute = history.lostInMinute(reason);
                line(
                        page,
                        "%s: %s %s, in the last minute %s",
                        reason.isByPolicy() ? "rejected" : "lost",
                        reason.title(),
                        count == null ? "unknown" : String.format(Locale.ROOT, "%,d", count),
                        minute == null ? "unknown" : String.format(Locale.ROOT, "%,d", minute));
            }
        }
        if (!any) {
            line(page, "lost: none");
        }
        if (ledger.lastKilled()) {
            line(
                    page,
                    "the process before this one was killed, or its host failed: what waited in its sockets may be lost, uncounted");
            Long power = ledger.lifetime().dropped(DropReason.POWER_FAILURE);
            if (power != null && power > 0) {
                line(
                        page,
                        "power failures took at most %,d datagrams so far; 'millrace journal verify' lists the gaps",
                        power);
            }
        }
    }

    private static void output(StringBuilder page, SinkStatus output) {
        line(
                page,
                "output %s: %sacknowledged %,d, pending %,d, %s behind, dead letters %,d, retries %,d",
                output.name(),
                output.finished() ? "finished, " : "",
                output.counts().acked(),
                output.pending(),
                lag(output.lagNs()),
                output.counts().deadLettered(),
                output.retries());
    }

    private static String lag(long ns) {
        long ms = TimeUnit.NANOSECONDS.toMillis(ns);
        return ms < 10_000 ? ms + " ms" : TimeUnit.MILLISECONDS.toSeconds(ms) + " s";
    }

    private static void sources(StringBuilder page, @Nullable SourcesStatus sources) {
        if (sources == null) {
            return;
        }
        line(
                page,
                "%nsources: %,d known, %,d silent, %,d numbers missing%s",
                sources.known(),
                sources.silentCount(),
                sources.missing(),
                sources.skipped() == 0
                        ? ""
                        : String.format(Locale.ROOT, "; sampled: %,d datagrams were not read", sources.skipped()));
        sources.top().stream()
                .filter(top -> top.perSecond() >= 0.5)
                .limit(MAX_SOURCES)
                .forEach(top -> line(page, "  %-39s %,12.0f msg/s", top.source(), top.perSecond()));
        sources.silent().stream()
                .limit(MAX_SOURCES)
                .forEach(silent -> line(
                        page,
                        "  %-39s silent since %s",
                        silent.source(),
                        silent.lastHeard().truncatedTo(ChronoUnit.SECONDS)));
    }

    private static void line(StringBuilder page, String format, @Nullable Object... values) {
        page.append(String.format(Locale.ROOT, format, values)).append(System.lineSeparator());
    }
}
