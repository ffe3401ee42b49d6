package io.millrace.app.report;

import io.millrace.collector.DropReason;
import io.millrace.collector.HostCounter;
import io.millrace.collector.Ledger;
import io.millrace.internal.text.DurationText;
import io.millrace.sink.Positions;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Formatter of a ledger, as a page and as the lines at the end of a run. */
public final class LedgerText {
    private LedgerText() {}

    /**
     * The counts of an output: settled, pending, and expired unread.
     *
     * @param removed true if the running service does not have the output any more
     */
    public record Delivered(String name, boolean removed, Positions.Counts counts, long pending, long expired) {}

    /**
     * The ledger as a page.
     *
     * @param running false if no process uses the data directory
     * @param alive the last sign of life of the process; null if unknown
     */
    public static String page(Ledger ledger, boolean running, @Nullable Instant alive, Iterable<Delivered> outputs) {
        StringBuilder page = new StringBuilder();
        Ledger.Lifetime lifetime = ledger.lifetime();
        page.append(run(ledger, running, alive)).append('\n').append('\n');
        row(page, "", "since the start", "lifetime", "");
        row(page, "received", ledger.received(), lifetime.received(), "");
        row(page, "= journaled", ledger.journaled(), lifetime.journaled(), "");
        if (lifetime.chunks().merged() > 0 || lifetime.chunks().duplicates() > 0) {
            row(page, "+ merged", ledger.chunks().merged(), lifetime.chunks().merged(), "chunks of GELF messages");
            row(
                    page,
                    "+ duplicate chunks",
                    ledger.chunks().duplicates(),
                    lifetime.chunks().duplicates(),
                    "");
        }
        places(page, "+ ", DropReason::isAfterReceipt, ledger);
        row(page, "+ in flight", ledger.inFlight(), null, "in slabs, on their way to the journal");

        page.append("\nlost at the sockets of this service\n");
        places(page, "  ", reason -> reason.stage() == DropReason.Stage.SOCKETS, ledger);

        boolean bounded = boundsOurs(ledger);
        page.append(
                bounded
                        ? "\nhost-wide drops: each value is an upper bound for Millrace; the values overlap\n"
                        : "\nhost-wide drops, where a GRO batch may count as one; the values overlap\n");
        for (DropReason place : DropReason.values()) {
            if (!place.isOurs()) {
                Long value = place.now(ledger);
                row(page, "  " + place.title(), bounded ? upTo(value) : text(value), "", place.source());
            }
        }
        row(
                page,
                "  (no loss) squeezed",
                text(ledger.hostWide().get(HostCounter.SOFTNET_SQUEEZED)),
                "",
                HostCounter.SOFTNET_SQUEEZED.source());

        others(page, ledger);
        if (ledger.streams().read() > 0) {
            page.append(System.lineSeparator()).append(streams(ledger.streams(), "%,d"));
        }
        outputs.forEach(output -> page.append(line(output)));
        return page.toString();
    }

    /** What is no loss, or cannot be counted. */
    private static void others(StringBuilder page, Ledger ledger) {
        Ledger.Lifetime lifetime = ledger.lifetime();
        page.append('\n');
        row(page, "truncated", ledger.truncated(), null, "truncated to max-datagram, and journaled");
        row(
                page,
                "expired unread",
                ledger.expiredUnread(),
                lifetime.expiredUnread(),
                "deleted by retention before all outputs had read them");
        if (lifetime.kills() > 0) {
            row(
                    page,
                    "processes killed",
                    ledger.lastKilled() ? "1" : "0",
                    text(lifetime.kills()),
                    "what waited in their sockets may be lost, uncounted");
        }
    }

    /** @param number the form of the numbers: {@code %,d} or {@code %d} */
    private static String streams(Ledger.Streams streams, String number) {
        String line =
                "connections: read %d bytes = payload %d + framing %d + skipped %d + pending %d; after the stop %d bytes%n";
        return String.format(
                Locale.ROOT,
                line.replace("%d", number),
                streams.read(),
                streams.payload(),
                streams.framing(),
                streams.skipped(),
                streams.pending(),
                streams.afterStop());
    }

    private static String line(Delivered output) {
        return String.format(
                Locale.ROOT,
                "%noutput %s%s: acknowledged %,d, filtered %,d, dead letters %,d, missing %,d, pending %,d%s%n",
                output.name(),
                output.removed() ? " (removed from the configuration)" : "",
                output.counts().acked(),
                output.counts().filtered(),
                output.counts().deadLettered(),
                output.counts().missing(),
                output.pending(),
                output.expired() == 0 ? "" : String.format(Locale.ROOT, ", expired unread %,d", output.expired()));
    }

    private static String term(String name, long value) {
        return value == 0 ? "" : " + " + name + " " + value;
    }

    /** The lines at the end of a run, without zero values. */
    public static String closing(Ledger ledger) {
        StringBuilder lines = new StringBuilder();
        lines.append(String.format(
                Locale.ROOT,
                "millrace: ledger: received %d = journaled %d + in flight %d%s; dropped at the socket %s%s, after the stop"
                        + " %s; truncated %d%n",
                ledger.received(),
                ledger.journaled(),
                ledger.inFlight(),
                term("merged", ledger.chunks().merged())
                        + term("duplicate chunks", ledger.chunks().duplicates())
                        + Arrays.stream(DropReason.values())
                                .filter(DropReason::isAfterReceipt)
                                .map(reason -> term(reason.title(), Objects.requireNonNull(ledger.dropped(reason))))
                                .collect(Collectors.joining()),
                plain(ledger.dropped(DropReason.SOCKET_BUFFER)),
                Objects.equals(ledger.dropped(DropReason.JOURNAL_FULL), 0L)
                        ? ""
                        : ", for a blocked journal " + plain(ledger.dropped(DropReason.JOURNAL_FULL)),
                plain(ledger.dropped(DropReason.AFTER_STOP)),
                ledger.truncated()));
        if (ledger.streams().read() > 0) {
            lines.append("millrace: ledger: ").append(streams(ledger.streams(), "%d"));
        }
        String host = places(ledger, value -> value == null ? "unavailable" : value == 0 ? null : value.toString());
        if (!host.isEmpty()) {
            lines.append("millrace: ledger: on the whole host, ")
                    .append(boundsOurs(ledger) ? "so Millrace's are at most: " : "where a GRO batch may count as one: ")
                    .append(host)
                    .append(System.lineSeparator());
        }
        return lines.toString();
    }

    private static String places(Ledger ledger, Function<@Nullable Long, @Nullable String> text) {
        return Arrays.stream(DropReason.values())
                .filter(place -> !place.isOurs() && text.apply(place.now(ledger)) != null)
                .map(place -> place.title() + " " + text.apply(place.now(ledger)))
                .collect(Collectors.joining(", "));
    }

    private static String run(Ledger ledger, boolean running, @Nullable Instant alive) {
        Instant start = ledger.startedAt();
        Instant stop = ledger.stoppedAt();
        if (start == null) {
            return "no run was noted yet";
        }
        return stop == null
                ? "the run that began at " + seconds(start) + ", " + elapsed(start, Instant.now()) + " ago"
                        + (running
                                ? ""
                                : ", and was killed, or the host failed"
                                        + (alive == null ? "" : ", at about " + seconds(alive)))
                : "the run from " + seconds(start) + " to " + seconds(stop) + ", " + elapsed(start, stop);
    }

    private static Instant seconds(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS);
    }

    private static String elapsed(Instant from, Instant to) {
        return DurationText.of(Duration.between(from, to));
    }

    private static void places(StringBuilder page, String indent, Predicate<DropReason> which, Ledger ledger) {
        Arrays.stream(DropReason.values()).filter(which).forEach(reason -> place(page, indent, reason, ledger));
    }

    private static void place(StringBuilder page, String indent, DropReason place, Ledger ledger) {
        row(page, indent + place.title(), text(place.now(ledger)), text(place.lifetime(ledger)), place.source());
    }

    private static void row(StringBuilder page, String name, long now, @Nullable Long lifetime, String source) {
        row(page, name, text(now), lifetime == null ? "" : text(lifetime), source);
    }

    private static void row(StringBuilder page, String name, String now, String lifetime, String source) {
        page.append(String.format(Locale.ROOT, "%-24s %17s %17s   %s%n", name, now, lifetime, source)
                .replaceFirst(" +(\\R)$", "$1"));
    }

    /**
     * False if our losses may exceed the host's count: with GRO batches the kernel counts batches, and our drops are
     * unavailable.
     */
    private static boolean boundsOurs(Ledger ledger) {
        return ledger.dropped(DropReason.SOCKET_BUFFER) != null;
    }

    private static String upTo(@Nullable Long value) {
        return value == null || value == 0 ? text(value) : "up to " + text(value);
    }

    /** A fixed form for scripts. */
    private static String plain(@Nullable Long value) {
        return value == null ? "unavailable" : value.toString();
    }

    private static String text(@Nullable Long value) {
        return value == null ? "unavailable" : String.format(Locale.ROOT, "%,d", value);
    }
}
