package io.millrace.app.fault;

import io.millrace.collector.Collector;
import io.millrace.collector.DropReason;
import io.millrace.collector.RetentionSettings;
import io.millrace.sink.SinkStatus;
import java.io.File;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Finder of the faults of a collector. Any thread. */
public final class FaultFinder {
    private final Collector collector;
    private final Function<DropReason, @Nullable Long> lostInMinute;
    private final Function<DropReason, @Nullable Long> lost;
    private final ToLongFunction<SinkStatus> rejectedInMinute;
    private final DeadLetterLooks looks;
    private volatile Duration maxLag;

    /**
     * Creates a finder.
     *
     * @param collector a started collector
     * @param lostInMinute the losses by drop reason in the last minute; null if unknown
     * @param lost the same since the start
     * @param rejectedInMinute how many messages became dead letters of an output in the last minute
     * @param maxLag the age from which an undelivered datagram of an output is a fault
     */
    public FaultFinder(
            Collector collector,
            Function<DropReason, @Nullable Long> lostInMinute,
            Function<DropReason, @Nullable Long> lost,
            ToLongFunction<SinkStatus> rejectedInMinute,
            Duration maxLag) {
        this.collector = collector;
        this.lostInMinute = lostInMinute;
        this.lost = lost;
        this.rejectedInMinute = rejectedInMinute;
        this.looks = new DeadLetterLooks(collector.settings().dataDirectory());
        this.maxLag = maxLag;
    }

    /** Changes the age from which an undelivered datagram of an output is a fault. */
    public void maxLag(Duration age) {
        maxLag = age;
    }

    /** All faults, the worst first. */
    public List<Fault> find() {
        RetentionSettings retention = collector.settings().retention();
        File data = collector.settings().dataDirectory().toFile();
        List<Fault> faults = new ArrayList<>(InputFaults.notReceiving(collector.receiveProblems()));
        faults.addAll(JournalFaults.blocked(collector.journalProblems()));
        faults.addAll(JournalFaults.drops(lostInMinute, lost));
        faults.addAll(OutputFaults.of(collector.outputs(), rejectedInMinute, looks::unseen, maxLag, retention));
        faults.addAll(JournalFaults.disk(data.getUsableSpace(), data.getTotalSpace(), retention));
        faults.addAll(InputFaults.certificates(collector.certificates(), Instant.now()));
        faults.addAll(InputFaults.senders(collector.senderNotices()));
        faults.addAll(InputFaults.silent(collector.sources()));
        faults.sort(Comparator.comparing(Fault::level).reversed());
        return List.copyOf(faults);
    }
}
