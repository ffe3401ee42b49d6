package io.millrace.app.fault;

import io.millrace.collector.RetentionSettings;
import io.millrace.sink.SinkStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

final class OutputFaults {
    /** What an output has not delivered nearly fills the journal from this part of its size on. */
    private static final int NEAR_FULL_PERCENT = 80;

    private OutputFaults() {}

    /**
     * The faults of all outputs.
     *
     * @param inMinute how many messages became dead letters of an output in the last minute
     * @param unseen how many dead letters nobody has looked at; null for none
     * @param maxLag the age from which an undelivered datagram is a fault
     */
    static List<Fault> of(
            List<SinkStatus> outputs,
            ToLongFunction<SinkStatus> inMinute,
            Function<SinkStatus, @Nullable Long> unseen,
            Duration maxLag,
            RetentionSettings retention) {
        List<Fault> faults = new ArrayList<>();
        for (SinkStatus output : outputs) {
            failing(output, faults);
            rejects(output, unseen.apply(output), inMinute, faults);
            lagging(output, maxLag, faults);
            expired(output, faults);
            nearFull(output, retention, faults);
        }
        return faults;
    }

    private static void failing(SinkStatus output, List<Fault> faults) {
        if (output.problem() != null) {
            faults.add(new Fault(
                    FaultKind.OUTPUT_FAILING,
                    output.name(),
                    Fault.Level.DEGRADED,
                    text("output %s does not deliver, %,d are pending", output.name(), output.pending()),
                    output.problem(),
                    "'millrace config check --connect' tries it; the journal keeps what is pending, as long as its retention allows",
                    Fault.Ending.most(
                            "output " + output.name() + " did not deliver for {time}, up to {amount} were pending",
                            output.pending())));
        }
    }

    /** Dead letters are messages that people miss, so the fault lasts until somebody looks at them. */
    private static void rejects(
            SinkStatus output, @Nullable Long unseen, ToLongFunction<SinkStatus> inMinute, List<Fault> faults) {
        if (unseen == null) {
            return;
        }
        String last = output.lastRefused() == null ? "" : "; the last one is from " + output.lastRefused();
        String text = unseen == 0
                ? text("output %s has dead letters that nobody has looked at", output.name())
                : text(
                        "%,d messages became dead letters of output %s, %,d of them in the last minute, and nobody has looked at"
                                + " them%s",
                        unseen, output.name(), Math.min(unseen, inMinute.applyAsLong(output)), last);
        faults.add(new Fault(
                FaultKind.OUTPUT_REJECTS,
                output.name(),
                Fault.Level.DEGRADED,
                text,
                null,
                "'millrace dead-letters show " + output.name() + "' has the reasons, and ends this fault",
                Fault.Ending.most(
                        unseen == 0
                                ? "somebody has looked at the dead letters of output " + output.name()
                                : "{amount} messages became dead letters of output " + output.name()
                                        + ", and somebody has looked at them",
                        unseen)));
    }

    private static void lagging(SinkStatus output, Duration maxLag, List<Fault> faults) {
        if (output.lagNs() > maxLag.toNanos()) {
            faults.add(new Fault(
                    FaultKind.OUTPUT_LAGGING,
                    output.name(),
                    Fault.Level.DEGRADED,
                    text(
                            "output %s is %,d s behind, %,d are pending",
                            output.name(), TimeUnit.NANOSECONDS.toSeconds(output.lagNs()), output.pending()),
                    null,
                    output.problem() == null ? "the destination is slower than what comes in" : null,
                    Fault.Ending.most(
                            "output " + output.name() + " was up to {amount} s behind",
                            TimeUnit.NANOSECONDS.toSeconds(output.lagNs()))));
        }
    }

    private static void expired(SinkStatus output, List<Fault> faults) {
        if (output.expired() > 0) {
            faults.add(new Fault(
                    FaultKind.OUTPUT_EXPIRED,
                    output.name(),
                    Fault.Level.FAILING,
                    text("%,d datagrams were deleted before output %s read them", output.expired(), output.name()),
                    null,
                    "give journal.retention more room, or set its unread to keep",
                    Fault.Ending.most(
                            "{amount} datagrams were deleted before output " + output.name() + " read them",
                            output.expired())));
        }
    }

    private static void nearFull(SinkStatus output, RetentionSettings retention, List<Fault> faults) {
        long size = retention.sizeBytes();
        if (size > 0 && output.pendingBytes() >= size / 100 * NEAR_FULL_PERCENT) {
            long percent = output.pendingBytes() / Math.max(1, size / 100);
            boolean keeps = retention.unread() == RetentionSettings.Unread.KEEP;
            faults.add(new Fault(
                    FaultKind.JOURNAL_NEAR_FULL,
                    output.name(),
                    Fault.Level.DEGRADED,
                    text(
                            "undelivered messages of output %s use %d %% of journal.retention.size",
                            output.name(), percent),
                    null,
                    keeps
                            ? "the journal grows beyond its size until the output has delivered"
                            : "beyond 100 %, datagrams are deleted before the output reads them",
                    Fault.Ending.most(
                            "what output " + output.name()
                                    + " had not delivered took up to {amount} % of journal.retention.size",
                            percent)));
        }
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
