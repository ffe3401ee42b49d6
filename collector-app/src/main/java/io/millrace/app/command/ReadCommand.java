package io.millrace.app.command;

import io.millrace.app.config.PointInTime;
import io.millrace.app.report.Terminal;
import io.millrace.journal.CursorBuilder;
import io.millrace.journal.InputNames;
import io.millrace.journal.Journal;
import io.millrace.journal.JournalCursor;
import io.millrace.journal.Position;
import io.millrace.message.InputRules;
import io.millrace.message.LineBuffer;
import io.millrace.message.LineFormat;
import io.millrace.message.LogRecord;
import io.millrace.output.OutputSettings;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code millrace read}: prints the journal to standard output. */
@Command(
        name = "read",
        description = "Print the journal. The service may be running.",
        footer = {
            "",
            "Examples:",
            "  millrace read -n 10                               the oldest ten messages",
            "  millrace read --last 10 --where 'hostname == \"fw1\"'  the newest ten of a host",
            "  millrace read -f --format json                    new messages as they arrive",
            "  millrace read --since 5m --grep 'denied|refused'  messages of the last five minutes",
            "  millrace read --since 2026-11-21T08:00:00Z --until 2026-11-21T09:00:00Z",
            "  millrace read --order time                        all receivers' shards as one",
            "  millrace read --from 0/41000 -n 1                 one message by its position",
            "  millrace read --format '{timestamp} {hostname} {appname}: {message}'",
            "  millrace read --order time --format pcap > messages.pcap",
            "  millrace read --format json --fields --where 'fields.act == \"deny\"'",
        })
public class ReadCommand extends DataOption implements Callable<Integer> {
    private static final int WRITE_BYTES = 64 << 10;
    private static final long WRITE_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /** In the order of time, datagrams are printed one second after their receive time. */
    private static final Duration WAITS = Duration.ofMillis(1500);

    private static final long IDLE_NS = TimeUnit.MILLISECONDS.toNanos(50);

    enum Order {
        NONE,
        TIME
    }

    @Option(
            names = {"--from", "--since"},
            paramLabel = "WHERE",
            description = "begin, end, SHARD/SEQUENCE, which reads that shard only, or " + PointInTime.TAKES
                    + ". A time without a zone is local time (default: begin; with --follow: end).")
    private @Nullable String from;

    @Option(
            names = {"--to", "--until"},
            paramLabel = "TIME",
            description = "Print only messages received before this time.")
    private @Nullable String to;

    @Option(
            names = {"-f", "--follow"},
            description = "Continue with new messages until interrupted.")
    boolean follow;

    @Option(names = "--last", paramLabel = "N", description = "Begin with the newest N messages that match.")
    private @Nullable Integer last;

    private LastMessages.@Nullable Found newest;

    @Option(
            names = "--grep",
            paramLabel = "REGEX",
            converter = Grep.Converter.class,
            description =
                    "Print only messages in which this regular expression (RE2 syntax) matches; (?i) ignores case.")
    private @Nullable Grep grep;

    @Option(
            names = "--order",
            paramLabel = "ORDER",
            description =
                    "none: shards in any order; time: all shards merged by receive time, which first scans the journal"
                            + " (with --since and --until only that part), and with --follow prints new datagrams one second later (default: none).")
    private Order order = Order.NONE;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            converter = OptionTypes.FormatOrPcap.class,
            description = OutputSettings.FORMATS
                    + "; or pcap, for a capture file (default: raw). On a terminal, control characters are shown as #033 and those that change the direction of"
                    + " text as <U+202E>, so that messages cannot inject terminal escape sequences.")
    private @Nullable LineFormat asked;

    private LineFormat format = LineFormat.of("raw");

    @Mixin
    private MessageOptions messages = new MessageOptions();

    @Option(
            names = "--split-lines",
            description = "Split each datagram at its lines, for senders that put several messages into one.")
    private boolean splitLines;

    private final LineBuffer buffer = new LineBuffer();
    private long limit;
    private long printed;

    @Override
    public Integer call() throws IOException {
        limit = messages.limit();
        if (last != null) {
            checkLast(last);
        }
        if (asked instanceof PcapFormat && Terminal.stdoutIsTerminal()) {
            throw new IllegalArgumentException("--format pcap writes a binary file, not to a terminal: add '> FILE'");
        }
        format = Terminal.forStdout(asked == null ? format : asked);
        Journal journal = openJournal();
        if (format instanceof PcapFormat pcap) {
            pcap.begin(buffer);
        }
        // Not closed: writes are not buffered, and standard output belongs to the process.
        OutputStream out = new FileOutputStream(FileDescriptor.out);
        try (JournalCursor cursor = cursor(journal)) {
            try {
                InputNames inputs = new InputNames(journal);
                print(cursor, inputs, out);
                if (newest != null && follow) {
                    try (JournalCursor following = followingNewest(newest, journal)) {
                        print(following, inputs, out);
                    }
                }
            } catch (IOException e) {
                if ("Broken pipe".equals(e.getMessage())) {
                    return 0; // The reader of the pipe has closed it.
                }
                throw e;
            }
            if (cursor.damagedBatches() > 0) {
                System.err.println("millrace: " + cursor.damagedBatches()
                        + " damaged batches were skipped: run 'millrace journal verify' for details");
                return 1;
            }
        }
        if (format instanceof PcapFormat pcap && pcap.shortened() > 0) {
            System.err.println(
                    "millrace: " + pcap.shortened() + " messages are longer than a datagram, and were truncated");
        }
        if (printed == 0 && !follow) {
            System.err.println(
                    isEmpty(journal)
                            ? "millrace: the journal has no messages"
                            : "millrace: no message of the journal matches");
        }
        return 0;
    }

    private static boolean isEmpty(Journal journal) throws IOException {
        try (JournalCursor first = journal.cursor().open()) {
            return first.poll((datagram, position) -> {}, 1) == 0;
        }
    }

    private void print(JournalCursor cursor, InputNames inputs, OutputStream out) throws IOException {
        LogRecord record = record();
        // A datagram may contain thousands of messages.
        int most = splitLines ? 16 : 1024;
        boolean waiting = false;
        long writtenNs = System.nanoTime();
        Instant end = to == null
                ? Instant.MAX
                : OptionTypes.instant("--to or --until", "", to).plus(WAITS);
        while (printed < limit) {
            int count = cursor.poll(
                    (datagram, position) -> print(
                            record.wrap(datagram, inputs.of(datagram.input()), position.shard(), position.sequence())),
                    (int) Math.min(limit - printed, most));
            // With a filter, output may be rare, and a person waits for it.
            if (buffer.length() >= WRITE_BYTES
                    || count == 0
                    || (buffer.length() > 0 && System.nanoTime() - writtenNs > WRITE_NS)) {
                buffer.writeTo(out);
                writtenNs = System.nanoTime();
            }
            if (count == 0) {
                if (!follow || newest != null || Instant.now().isAfter(end)) {
                    break;
                }
                if (!waiting && Terminal.stderrIsTerminal()) {
                    System.err.println("millrace: at the end of the journal, waiting for more (Ctrl-C ends it)");
                }
                waiting = true;
                LockSupport.parkNanos(IDLE_NS);
            }
        }
        buffer.writeTo(out);
    }

    private LogRecord record() {
        return LogRecord.of(
                new InputRules(messages.timeZone, splitLines, InputRules.MAX_EXPANDED_BYTES, messages.charset),
                Map.of(),
                messages.fields);
    }

    private JournalCursor followingNewest(LastMessages.Found found, Journal journal) throws IOException {
        newest = null;
        return found.following(journal);
    }

    /** People may expect the newest messages, as {@code tail -n} of a file prints them. */
    private void sayWhatLimitMeans() {
        if (follow && limit <= LastMessages.MAX) {
            System.err.printf(
                    "millrace: waiting for %s; --last %d prints the newest instead%n",
                    limit == 1 ? "1 new message" : limit + " new messages", limit);
        }
    }

    private void checkLast(int count) {
        if (count < 1 || count > LastMessages.MAX) {
            throw new IllegalArgumentException(
                    "--last accepts a number from 1 to " + LastMessages.MAX + ", not " + count);
        }
        if (from != null || to != null || order == Order.TIME) {
            throw new IllegalArgumentException(
                    "--last begins at the end of the journal, so it accepts no --from, --to or --order time; --where and --grep choose"
                            + " messages");
        }
    }

    private void print(LogRecord record) {
        do {
            if (printed < limit && isWanted(record) && (newest == null || newest.includes(record))) {
                format.write(record, buffer);
                printed++;
            }
        } while (printed < limit && record.nextPart());
    }

    private boolean isWanted(LogRecord record) {
        return (messages.filter == null || messages.filter.matches(record)) && (grep == null || grep.matches(record));
    }

    private JournalCursor cursor(Journal journal) throws IOException {
        CursorBuilder builder = journal.cursor()
                .onGap((shard, first, count) -> System.err.printf(
                        "millrace: shard %d: datagrams %d to %d are not in the journal%n",
                        shard, first, first + count - 1));
        if (last != null) {
            LastMessages.Found found = new LastMessages(journal, last, record(), this::isWanted).find();
            newest = found;
            return found.cursor(journal);
        }
        String where = from != null ? from : follow ? "end" : "begin";
        Instant begin = Instant.MIN;
        if (order == Order.TIME) {
            if (Position.isPosition(where)) {
                throw new IllegalArgumentException("--order time is about all shards, and --from " + where
                        + " about one: name a time, begin or end");
            }
            builder.byTime(follow);
        }
        if (where.equals("end")) {
            sayWhatLimitMeans();
            builder.fromEnd();
        } else if (Position.isPosition(where)) {
            Position position = Position.parse(where);
            int shards = journal.meta().shards();
            if (position.shard() >= shards) {
                throw new IllegalArgumentException(
                        "--from " + where + ": the journal has " + shards + " shards, numbered from 0");
            }
            builder.from(position);
        } else if (!where.equals("begin")) {
            begin = OptionTypes.instant("--from or --since", "begin, end, SHARD/SEQUENCE such as 0/42, or ", where);
            builder.fromTime(begin);
        }
        if (to != null) {
            Instant end = OptionTypes.instant("--to or --until", "", to);
            if (!begin.isBefore(end)) {
                throw new IllegalArgumentException(
                        "the range ends at " + to + ", which is not after its start at " + where);
            }
            builder.toTime(end);
        }
        return builder.open();
    }
}
