package io.millrace.internal.sources;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.collector.Counter;
import io.millrace.collector.SilenceLimit;
import io.millrace.collector.SourcesStatus;
import io.millrace.internal.journal.JournalBytes;
import io.millrace.internal.journal.TestJournal;
import io.millrace.internal.record.TestDatagram;
import io.millrace.journal.Journal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourceTrackerTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int LIMIT = 1000;

    @TempDir
    Path root;

    private final List<String> logged = new ArrayList<>();
    private long nowNs = TestDatagram.TIME_NS;
    private TestJournal journal;
    private SourceTracker tracker;

    @BeforeEach
    void open() throws IOException {
        journal = TestJournal.open(root, 2);
        append(0, 10, 0, 5);
        tracker = tracker(true);
        tracker.begin();
    }

    private SourceTracker tracker(boolean numbering) throws IOException {
        return new SourceTracker(
                Journal.open(root),
                journal.counters(),
                new SourceTracker.Settings(SilenceLimit.times(3), numbering, root.resolve("sources"), LIMIT),
                () -> nowNs,
                (level, line) -> logged.add(line));
    }

    @AfterEach
    void close() throws IOException {
        tracker.close();
        tracker.close();
        journal.close();
    }

    /** Appends a batch of Cisco messages with sequence numbers, a millisecond apart. */
    private void append(int shard, int source, int first, int count) {
        TestDatagram[] batch = new TestDatagram[count];
        for (int i = 0; i < count; i++) {
            nowNs += 1_000_000;
            batch[i] = TestDatagram.of("<189>" + (first + i) + ": *Mar  1 18:46:11: %SYS-5-CONFIG_I: x")
                    .from(new byte[] {10, 0, 0, (byte) source}, 0, 514)
                    .at(nowNs);
        }
        journal.append(shard, batch);
    }

    private SourcesStatus status() {
        while (tracker.doWork() > 0) {
            // Read all batches.
        }
        nowNs += SECOND + 1;
        assertThat(tracker.doWork()).isZero();
        return tracker.status();
    }

    @Test
    void statusHasTopSourcesAndMissingNumbers() {
        append(0, 1, 1, 100);
        append(0, 1, 104, 50);
        append(1, 2, 1, 60);
        assertThat(tracker.status().behind()).isEqualTo(210);
        SourcesStatus before = status();
        assertThat(before.behind()).isZero();
        assertThat(before.known()).isEqualTo(2);
        assertThat(before.top()).extracting(it -> it.source().toString()).containsExactly("10.0.0.1", "10.0.0.2");
        nowNs += 20 * SECOND;
        SourcesStatus after = status();
        assertThat(after.missing()).isEqualTo(3);
        assertThat(after.gaps()).singleElement().satisfies(it -> {
            assertThat(it.source()).hasToString("10.0.0.1");
            assertThat(it.missing()).isEqualTo(3);
        });
    }

    /** After a quiet time it reads four batches of six within 1 s, so those of the next second count one and a half times. */
    @Test
    void readsASampleIfTooManyArriveInASecond() {
        append(0, 2, 1, 20);
        assertThat(status().known()).isEqualTo(1);
        nowNs += 50 * SECOND;
        long startNs = nowNs;
        for (int batch = 0; batch < 6; batch++) {
            append(0, 1, 1 + batch * LIMIT / 2, LIMIT / 2);
            nowNs = startNs;
        }
        while (tracker.doWork() > 0) {
            // The limit ends it.
        }
        assertThat(tracker.status().behind()).isEqualTo(LIMIT);

        nowNs += SECOND;
        assertThat(tracker.doWork()).isZero();
        append(0, 1, 4 * LIMIT, LIMIT / 2);
        SourcesStatus status = status();
        assertThat(status.behind()).isZero();
        assertThat(status.skipped()).isEqualTo(LIMIT);
        assertThat(tracker.find("10.0.0.1", 1, false).sources())
                .singleElement()
                .satisfies(it -> assertThat(it.perMinute().stream()
                                .mapToInt(Integer::intValue)
                                .sum())
                        .isBetween(2 * LIMIT + 3 * LIMIT / 4 - 20, 2 * LIMIT + 3 * LIMIT / 4));

        // Source 2 was heard 60.5 s ago. For a second of them nothing was read; the limit is a minute.
        nowNs += 6 * SECOND;
        assertThat(status().silentCount()).isZero();
        assertThat(status().silentCount()).isEqualTo(1);
        nowNs += 20 * SECOND;
        assertThat(status().missing()).as("what was skipped is no gap").isZero();
    }

    @Test
    void datagramsLostByTheJournalAreNotASequenceGap() throws IOException {
        append(0, 1, 1, 100);
        assertThat(status().known()).isEqualTo(1);
        append(0, 1, 101, 50);
        JournalBytes.damage(JournalBytes.batches(root, 0).get(2));
        append(0, 1, 151, 100);
        nowNs += 20 * SECOND;
        SourcesStatus status = status();
        assertThat(status.missing()).isZero();
        assertThat(status.restarts()).isZero();
    }

    @Test
    void withoutNumberingSequenceNumbersAreNotChecked() throws IOException {
        tracker.close();
        tracker = tracker(false);
        tracker.begin();
        append(0, 1, 1, 100);
        append(0, 1, 200, 100);
        nowNs += 20 * SECOND;
        SourcesStatus status = status();
        assertThat(status.numbering()).isFalse();
        assertThat(status.known()).isEqualTo(1);
        assertThat(status.missing()).isZero();
    }

    @Test
    void noSourceIsSilentWhileTheJournalIsBlocked() {
        append(0, 1, 1, 100);
        journal.counters(1).set(Counter.JOURNAL_BLOCKED, 1);
        nowNs += 100 * SECOND;
        assertThat(status().silentCount()).isZero();
        journal.counters(1).set(Counter.JOURNAL_BLOCKED, 0);
        SourcesStatus status = status();
        assertThat(status.silentCount()).isEqualTo(1);
        assertThat(status.silent()).singleElement().satisfies(it -> {
            assertThat(it.source()).hasToString("10.0.0.1");
            assertThat(it.usualSilence().toMillis()).isEqualTo(1);
        });
        assertThat(logged).hasSize(1);
    }

    @Test
    void continuesAtTheEndAfterAFailure() throws IOException {
        append(0, 1, 1, 100);
        assertThat(status().known()).isEqualTo(1);
        tracker.close();
        append(0, 1, 500, 100);
        SourcesStatus status = status();
        assertThat(status.behind()).isZero();
        append(0, 1, 600, 10);
        nowNs += 20 * SECOND;
        assertThat(status().missing()).isZero();
    }

    /** A host that fails while the service restarts must be reported too. */
    @Test
    void knowsSourcesAfterARestartAndCountsSilenceFromThen() throws IOException {
        append(0, 1, 1, 20);
        append(0, 2, 1, 20);
        assertThat(status().known()).isEqualTo(2);
        tracker.close();
        nowNs += 8 * 24 * 3600 * SECOND;
        tracker = tracker(true);
        tracker.begin();
        assertThat(tracker.status().known()).as("known at once").isEqualTo(2);
        assertThat(status().known()).isEqualTo(2);
        assertThat(tracker.status().silent()).isEmpty();
        nowNs += 50 * SECOND;
        append(0, 1, 21, 20);
        nowNs += 20 * SECOND;
        assertThat(status().silent())
                .singleElement()
                .satisfies(it -> assertThat(it.source()).hasToString("10.0.0.2"));
        assertThat(logged)
                .singleElement()
                .asString()
                .startsWith("Source 10.0.0.2 is silent: no datagram for 8 d 0 h, its longest silence is 1 ms");
        tracker.close();
        tracker = tracker(true);
        tracker.begin();
        assertThat(status().silentCount()).isEqualTo(1);
        append(0, 2, 21, 1);
        assertThat(status().silentCount()).isZero();
        assertThat(logged).hasSize(2);
    }

    @Test
    void readsWhatItCanOfADamagedFile() throws IOException {
        tracker.close();
        String time = Instant.EPOCH.plusNanos(nowNs).toString();
        String early = Instant.EPOCH.plusNanos(nowNs - 3600 * SECOND).toString();
        Files.writeString(
                root.resolve("sources"),
                String.join(
                        "\n",
                        "10.0.0.7 " + time + " 1000",
                        "fe80::1 " + early + " 1000 silent host=fw1",
                        "local " + time + " 5",
                        "10.0.0.7 " + time + " 1000",
                        "example.org " + time + " 1000",
                        "10.0.0.8 yesterday 1000",
                        "10.0.0.8 " + time + " -1",
                        "10.0.0.8 " + time + " 1 loud",
                        "10.0.0.8 " + time + " 1 host=a b",
                        "\u0000\u00ff"));
        tracker = tracker(true);
        tracker.begin();
        assertThat(status().known()).isEqualTo(3);
        assertThat(tracker.find("FW1", 9, true).sources())
                .singleElement()
                .satisfies(it -> assertThat(it.source()).hasToString("fe80::1"));
        tracker.close();
        assertThat(Files.readAllLines(root.resolve("sources")))
                .containsExactly(
                        "10.0.0.7 " + time + " 1000",
                        "fe80::1 " + early + " 1000 silent host=fw1",
                        "local " + time + " 5");
    }

    @Test
    void findsSourcesByAddressAndByHostName() {
        for (int i = 0; i < 30; i++) {
            nowNs += 1_000_000;
            journal.append(0, message("fw1.example.org", 1), message(i < 20 ? "web1" : "web2", 2), message("web1", 2));
        }
        nowNs += 60 * SECOND;
        assertThat(status().known()).isEqualTo(2);
        nowNs += 60 * SECOND;
        journal.append(0, message("web3", 2), message("FW1.example.org", 1));
        assertThat(status().known()).isEqualTo(2);

        SourcesStatus.Found all = tracker.find("", 10, true);
        assertThat(all.matched()).isEqualTo(2);
        assertThat(all.sources()).extracting(it -> it.source().toString()).containsExactly("10.0.0.2", "10.0.0.1");
        assertThat(tracker.find("", 1, true).matched()).isEqualTo(2);
        assertThat(tracker.find("", 1, true).sources()).hasSize(1);
        assertThat(tracker.find("10.0.0.1", 9, true).sources()).singleElement().satisfies(it -> {
            assertThat(it.host()).isEqualTo("FW1.example.org");
            assertThat(it.silent()).isFalse();
            assertThat(it.perMinute().get(MinuteCounts.MINUTES - 1)).isEqualTo(1);
        });
        assertThat(tracker.find("WEB", 9, true).sources()).singleElement().satisfies(it -> {
            assertThat(it.host()).isEqualTo("web3");
            assertThat(it.relay()).isTrue();
        });
        assertThat(tracker.find("nobody", 9, true).sources()).isEmpty();
        assertThat(tracker.find("web", 9, false).sources()).isEmpty();
    }

    /** Two sources have the same bit in the set of those that want a host name; the busy one must not use it up. */
    @Test
    void quietSourceGetsItsHostNameBesideABusyOne() {
        long busy = 0xffff_0a00_0001L;
        long quiet = busy + 1;
        while (hashBits(quiet) != hashBits(busy)) {
            quiet++;
        }
        int other = (int) (quiet & 0xff_ffff);
        for (int i = 0; i < 40; i++) {
            nowNs += 1_000_000;
            journal.append(0, message("busy", 1), message("quiet", other));
        }
        assertThat(status().known()).isEqualTo(2);
        nowNs += 2 * SECOND;
        assertThat(status().known()).isEqualTo(2);
        for (int i = 0; i < 40; i++) {
            journal.append(0, message("busy", 1));
        }
        journal.append(0, message("quiet", other));
        assertThat(status().known()).isEqualTo(2);
        assertThat(tracker.find("quiet", 9, true).matched()).isEqualTo(1);
        assertThat(tracker.find("busy", 9, true).matched()).isEqualTo(1);
    }

    private static int hashBits(long low) {
        return AddressHash.of(0, low) & 0xffff;
    }

    private TestDatagram message(String host, int source) {
        return TestDatagram.of("<14>Nov 21 10:00:00 " + host + " app: text")
                .from(new byte[] {10, (byte) (source >> 16), (byte) (source >> 8), (byte) source}, 0, 514)
                .at(nowNs);
    }
}
