package io.millrace.internal.reduce;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.internal.format.JournalRecord;
import io.millrace.internal.parse.ParsedMessage;
import io.millrace.journal.DatagramView;
import io.millrace.message.Kind;
import io.millrace.message.LineBuffer;
import io.millrace.message.SyslogMessage.Field;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds messages that repeat the last one of their host, and makes the summaries that replace them: the header of the last
 * repeat, with the text {@code last message repeated N times}.
 *
 * <p>A run begins with a message that is not left out. Messages within the window that differ from it in their time or process id
 * only are its repeats. The run ends with another message of the host, or with the window, whichever is first; then its summary
 * is due if it has repeats. Memory is bounded: the last 1,000 hosts, and datagrams up to 8 KiB; what is in longer ones is never a repeat.
 *
 * <pre>{@code
 * boolean repeat = repeats.add(record);
 * while ((summary = repeats.summary(record.receiveTimeNs())) != null) {
 *     // summary comes before the record
 * }
 * }</pre>
 */
public final class Repeats {
    private static final int MAX_HOSTS = 1000;
    private static final int MAX_BYTES = 8 << 10;

    private final long windowNs;
    private final JournalRecord last;
    private final JournalRecord summary;
    private final LineBuffer compared = new LineBuffer();
    private final LineBuffer text = new LineBuffer();
    /** By host, in the order of their beginnings. */
    private final Map<Long, Run> runs = new LinkedHashMap<>();

    private final Queue<Run> ended = new ArrayDeque<>();
    /** The first end of a run with repeats. */
    private long dueNs = Long.MAX_VALUE;

    /** A message and its repeats so far. */
    private static final class Run {
        private final byte[] compared;
        private final long beginNs;
        private final long endNs;
        private long repeats;
        private @Nullable DatagramView datagram;
        private String input = "";
        private int shard;
        private long sequence;
        private int part;

        private Run(byte[] compared, long beginNs, long endNs) {
            this.compared = compared;
            this.beginNs = beginNs;
            this.endNs = endNs;
        }

        /** True if the time is within the window. It may be before it, after the clock was set back. */
        private boolean covers(long timeNs) {
            return beginNs <= timeNs && timeNs < endNs;
        }

        private void add(JournalRecord repeat, DatagramView view) {
            repeats++;
            if (datagram == null || shard != repeat.shard() || sequence != repeat.sequence()) {
                datagram = view.copy();
            }
            input = new String(repeat.input(), UTF_8);
            shard = repeat.shard();
            sequence = repeat.sequence();
            part = repeat.part();
        }
    }

    /**
     * Creates it without runs.
     *
     * @param window how long after a message another one is its repeat, by receive time
     * @param records creates records that are parsed as those that are added
     */
    public Repeats(Duration window, Supplier<JournalRecord> records) {
        this.windowNs = window.toNanos();
        this.last = records.get();
        this.summary = records.get();
    }

    /** Adds a message. Returns true if it is a repeat, to be left out. */
    public boolean add(JournalRecord record) {
        DatagramView datagram = record.datagram();
        if (datagram == null || !compare(record, datagram)) {
            return false;
        }
        long host = host(record.message(), datagram);
        Run run = runs.get(host);
        if (run != null
                && run.covers(record.receiveTimeNs())
                && Arrays.equals(run.compared, 0, run.compared.length, compared.array(), 0, compared.length())) {
            run.add(record, datagram);
            dueNs = Math.min(dueNs, run.endNs);
            return true;
        }
        if (run != null) {
            end(host, run);
        } else if (runs.size() == MAX_HOSTS) {
            Map.Entry<Long, Run> eldest = runs.entrySet().iterator().next();
            end(eldest.getKey(), eldest.getValue());
        }
        byte[] copy = Arrays.copyOf(compared.array(), compared.length());
        runs.put(host, new Run(copy, record.receiveTimeNs(), record.receiveTimeNs() + windowNs));
        return false;
    }

    private void end(Long host, Run run) {
        runs.remove(host);
        if (run.repeats > 0) {
            ended.add(run);
        }
    }

    /** Collects what two messages must have in common. Returns false if the message cannot be a repeat. */
    private boolean compare(JournalRecord record, DatagramView datagram) {
        ParsedMessage message = record.message();
        if (message.kind() == Kind.GELF
                || (message.bytes() != record.bytes() && !record.isConverted())
                || !message.has(Field.MESSAGE)
                || datagram.payloadLength() > MAX_BYTES) {
            return false;
        }
        compared.clear();
        compared.put(message.severity().code());
        compared.put(message.facility().code());
        append(message, Field.HOSTNAME);
        append(message, Field.APPNAME);
        append(message, Field.MSGID);
        append(message, Field.STRUCTURED_DATA);
        append(message, Field.MESSAGE);
        for (int i = 0; i < (datagram.isIpv6() ? 16 : 4); i++) {
            compared.put(datagram.sourceByte(i));
        }
        return true;
    }

    private void append(ParsedMessage message, Field field) {
        if (message.has(field)) {
            compared.append(message.bytes(), message.begin(field), message.end(field));
        }
        compared.put(0);
    }

    /** A number for the host. If two hosts have the same, each ends the other's run: nothing else depends on it. */
    private static long host(ParsedMessage message, DatagramView datagram) {
        long hash = datagram.sourceHigh() * 31 + datagram.sourceLow();
        for (int i = message.begin(Field.HOSTNAME); i < message.end(Field.HOSTNAME); i++) {
            hash = 31 * hash + message.bytes()[i];
        }
        return hash;
    }

    /**
     * The next summary that is due, valid until the next call.
     *
     * @param nowNs windows that end until then are over, in ns since the epoch
     * @return null if there is none
     */
    public @Nullable JournalRecord summary(long nowNs) {
        if (nowNs >= dueNs) {
            dueNs = Long.MAX_VALUE;
            for (Iterator<Run> all = runs.values().iterator(); all.hasNext(); ) {
                Run run = all.next();
                if (run.repeats > 0 && run.endNs <= nowNs) {
                    all.remove();
                    ended.add(run);
                } else if (run.repeats > 0) {
                    dueNs = Math.min(dueNs, run.endNs);
                }
            }
        }
        Run next = ended.poll();
        return next == null ? null : summary(next);
    }

    private JournalRecord summary(Run run) {
        last.wrap(Objects.requireNonNull(run.datagram), run.input, run.shard, run.sequence);
        for (int i = 0; i < run.part; i++) {
            last.nextPart();
        }
        text.clear();
        text.append(
                last.message().bytes(),
                last.isConverted() ? 0 : last.begin(),
                last.message().begin(Field.MESSAGE));
        text.ascii("last message repeated ").number(run.repeats).ascii(run.repeats == 1 ? " time" : " times");
        return summary.wrapEdited(last, text.array(), 0, text.length(), null);
    }

    /** The time at which a summary is due next, in ns since the epoch; {@link Long#MAX_VALUE} if no message was repeated. */
    public long dueNs() {
        return dueNs;
    }

    /** Forgets all messages: the next one of each host is no repeat. */
    public void clear() {
        runs.clear();
        ended.clear();
        dueNs = Long.MAX_VALUE;
    }
}
