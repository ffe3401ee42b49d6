package io.millrace.internal.journal.recovery;

import static io.millrace.internal.journal.JournalChecks.numbered;
import static io.millrace.internal.journal.JournalChecks.problems;
import static io.millrace.internal.journal.JournalChecks.readAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.millrace.collector.Collector;
import io.millrace.collector.Ledger;
import io.millrace.internal.counters.CounterFile;
import io.millrace.internal.counters.LedgerAccounting;
import io.millrace.internal.journal.JournalBytes;
import io.millrace.internal.journal.JournalChecks;
import io.millrace.internal.journal.MetaFile;
import io.millrace.internal.journal.TestJournal;
import io.millrace.internal.record.TestDatagram;
import io.millrace.journal.GapReason;
import io.millrace.journal.Journal;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalExportTest {
    @TempDir
    Path temporary;

    private Path root;
    private Path target;

    @BeforeEach
    void name() {
        root = temporary.resolve("data");
        target = temporary.resolve("copy");
    }

    @Test
    void journalInUseIsCopiedCompletely() throws IOException {
        try (TestJournal journal = TestJournal.open(root, 2)) {
            journal.appendNumbered(0, 3, 10);
            journal.appendNumbered(1, 2, 5);
            JournalExport.Report report = export(JournalExport.Range.ALL);
            assertThat(report.datagrams()).isEqualTo(40);
            assertThat(report.batches()).isEqualTo(5);
            assertThat(report.problems()).isEmpty();
            assertThat(MetaFile.load(target)).isEqualTo(MetaFile.load(root));
        }
        assertThat(problems(target)).isEmpty();
        assertThat(readAll(target, 0)).isEqualTo(numbered(0, 0, 30));
        assertThat(readAll(target, 1)).isEqualTo(numbered(1, 0, 10));
    }

    @Test
    void sequenceRangeCopiesWholeBatchesAndKeepsTheirNumbers() throws IOException {
        write();
        assertThat(export(new JournalExport.Range(0, 15, 31, Long.MIN_VALUE, Long.MAX_VALUE))
                        .datagrams())
                .isEqualTo(30);
        assertThat(readAll(target, 0)).isEqualTo(numbered(0, 10, 40));
        assertThat(problems(target)).isEmpty();
    }

    @Test
    void largerBatchStartsAFileWithLargerBlocks() throws IOException {
        try (TestJournal journal = TestJournal.open(root)) {
            for (int datagrams : new int[] {5, 500, 5, 2000, 5}) {
                journal.appendNumbered(0, 1, datagrams);
            }
        }
        var unused = new JournalExport(root, target, JournalExport.Range.ALL, (bytes, total) -> {})
                .startingWith(1000)
                .run();
        assertThat(JournalBytes.files(target, 0)).hasSize(3);
        assertThat(problems(target)).isEmpty();
        assertThat(readAll(target, 0)).isEqualTo(numbered(0, 0, 2515));
        for (Path file : JournalBytes.files(target, 0)) {
            assertThat(Files.size(file)).isLessThan(8 << 20);
        }
    }

    /** The lifetime of an exported journal was its next sequence number. */
    @Test
    void lifetimeOfAnExportIsWhatItHolds() throws IOException {
        long time = TestDatagram.TIME_NS;
        try (TestJournal journal = TestJournal.open(root)) {
            journal.append(0, TestDatagram.of("earlier").at(time - 100));
            journal.append(0, TestDatagram.of("early").at(time));
            journal.append(0, TestDatagram.of("late").at(time + 100));
            journal.append(0, TestDatagram.of("early again").at(time + 1));
        }
        var unused = export(new JournalExport.Range(-1, 0, Long.MAX_VALUE, time, time + 50));
        assertLifetime(2);
        Ledger before = LedgerAccounting.ofOther(CounterFile.openReadOnly(target.resolve("counters")))
                .read();
        assertThat(before.startedAt()).isNull();
        assertThat(before.received()).isZero();
        try (Collector collector = Collector.builder()
                .listen("in", new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .journal(target)
                .transport("nio")
                .receivers(1)
                .build()) {
            collector.start();
            assertThat(collector.ledger().lifetime().journaled()).isEqualTo(2);
        }
        assertLifetime(2);
        try (TestJournal journal = TestJournal.open(target)) {
            journal.append(0, TestDatagram.of("after it").at(time + 200));
        }
        assertThat(Journal.open(target).endSequences()).containsExactly(5);
        assertThat(problems(target)).isEmpty();
    }

    private void assertLifetime(long datagrams) throws IOException {
        CounterFile counters = CounterFile.openReadOnly(target.resolve("counters"));
        assertThat(counters.damage()).isNull();
        Ledger.Lifetime lifetime = LedgerAccounting.ofOther(counters).read().lifetime();
        assertThat(lifetime.received()).isEqualTo(datagrams);
        assertThat(lifetime.journaled()).isEqualTo(datagrams);
    }

    @Test
    void skippedBatchesBecomeAGapWithItsReason() throws IOException {
        long time = TestDatagram.TIME_NS;
        try (TestJournal journal = TestJournal.open(root)) {
            journal.append(0, TestDatagram.of("early").at(time));
            journal.append(0, TestDatagram.of("late").at(time + 100));
            journal.append(0, TestDatagram.of("early again").at(time + 1));
        }
        assertThat(export(new JournalExport.Range(-1, 0, Long.MAX_VALUE, time, time + 50))
                        .datagrams())
                .isEqualTo(2);
        assertThat(readAll(target, 0)).containsExactly("0=early", "2=early again");
        assertThat(JournalChecks.cleanSummary(target).gaps()).singleElement().satisfies(gap -> {
            assertThat(gap.firstSequence()).isEqualTo(1);
            assertThat(gap.count()).isEqualTo(1);
            assertThat(gap.reason()).isEqualTo(GapReason.NOT_EXPORTED);
        });
    }

    @Test
    void batchesAfterDamageAreCopiedToo() throws IOException {
        write();
        JournalBytes.Place second = JournalBytes.batches(root, 0).get(1);
        JournalBytes.damage(second);
        JournalBytes.Place third = JournalBytes.batches(root, 0).get(1);
        JournalBytes.flip(third.file(), third.offset() - 4, 7);
        JournalExport.Report report = export(JournalExport.Range.ALL);
        assertThat(report.datagrams()).isEqualTo(40);
        assertThat(report.problems()).isNotEmpty();
        assertThat(problems(target)).isEmpty();
        assertThat(JournalChecks.cleanSummary(target).gaps())
                .singleElement()
                .extracting(JournalGap::reason)
                .isEqualTo(GapReason.LOST);
    }

    @Test
    void targetThatIsNotEmptyIsRefused() throws IOException {
        write();
        Files.createDirectories(target);
        Files.writeString(target.resolve("notes"), "mine");
        assertThatIOException()
                .isThrownBy(() -> export(JournalExport.Range.ALL))
                .withMessageContaining("not empty");
        assertThat(target).isDirectoryContaining(file -> file.endsWith("notes"));
    }

    @Test
    void missingShardIsRefused() throws IOException {
        write();
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> export(new JournalExport.Range(3, 0, 1, Long.MIN_VALUE, Long.MAX_VALUE)))
                .withMessageContaining("shard 3");
    }

    private void write() throws IOException {
        try (TestJournal journal = TestJournal.open(root)) {
            journal.appendNumbered(0, 5, 10);
        }
    }

    private JournalExport.Report export(JournalExport.Range range) throws IOException {
        return new JournalExport(root, target, range, (bytes, total) -> {}).run();
    }
}
