package io.millrace.app.fault;

import io.millrace.collector.DropReason;
import io.millrace.collector.RetentionSettings;
import io.millrace.internal.text.ByteSize;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The faults of the way into the journal, and of its disk. */
final class JournalFaults {
    /** The free space below which a disk is nearly full: this, or a twentieth of a small disk. */
    private static final long MIN_FREE_BYTES = 2L << 30;

    private static final int SMALL_DISK_PART = 20;

    private JournalFaults() {}

    /** The journal cannot be appended to. */
    static List<Fault> blocked(List<String> problems) {
        return problems.stream()
                .map(problem -> new Fault(
                                FaultKind.JOURNAL_BLOCKED, "journal", Fault.Level.FAILING, problem, null, null)
                        .ending(Fault.Ending.of("the journal could not be appended to for {time}: " + problem)))
                .toList();
    }

    /**
     * The named losses that grow.
     *
     * @param lostInMinute the losses by drop reason in the last minute; null if unknown
     * @param lost the losses since the start
     */
    static List<Fault> drops(
            Function<DropReason, @Nullable Long> lostInMinute, Function<DropReason, @Nullable Long> lost) {
        List<Fault> faults = new ArrayList<>();
        for (DropReason reason : DropReason.values()) {
            Long recent = reason.isOurs() && !reason.isByPolicy() ? lostInMinute.apply(reason) : null;
            if (recent != null && recent > 0) {
                String text = String.format(
                        Locale.ROOT, "%,d datagrams were lost in the last minute: %s", recent, reason.title());
                Long total = lost.apply(reason);
                faults.add(new Fault(FaultKind.DROPS, reason.key(), Fault.Level.FAILING, text, null, reason.remedy())
                        .ending(Fault.Ending.total(
                                "{amount} datagrams were lost: " + reason.title(),
                                total == null ? recent : total,
                                recent)));
            }
        }
        return faults;
    }

    /**
     * The disk of the journal is nearly full. With {@code journal.retention.freeSpace}, retention keeps that much free;
     * a tenth less means that it does not succeed.
     *
     * @param total the size of the disk in bytes; 0 if unknown
     */
    static List<Fault> disk(long free, long total, RetentionSettings retention) {
        long wanted = retention.freeBytes();
        long limit = wanted > 0 ? wanted / 10 * 9 : Math.min(MIN_FREE_BYTES, total / SMALL_DISK_PART);
        if (total <= 0 || free >= limit) {
            return List.of();
        }
        return List.of(new Fault(
                FaultKind.DISK_NEAR_FULL,
                "journal",
                Fault.Level.DEGRADED,
                "the disk of the journal has " + ByteSize.text(free) + " free",
                wanted > 0 ? "less than journal.retention.freeSpace, and retention cannot delete enough" : null,
                "make room on the disk, or set journal.retention",
                Fault.Ending.of("the disk of the journal was nearly full for {time}")));
    }
}
