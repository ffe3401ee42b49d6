package io.millrace.app.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.collector.CertificateStatus;
import io.millrace.collector.DropReason;
import io.millrace.collector.RetentionSettings;
import io.millrace.collector.SourceAddress;
import io.millrace.collector.SourcesStatus;
import io.millrace.collector.StreamCounter;
import io.millrace.internal.counters.SenderNotices;
import io.millrace.sink.Positions;
import io.millrace.sink.SinkStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Each condition of a fault, and just not. */
class FaultsTest {
    private static final Duration MAX_LAG = Duration.ofMinutes(5);
    private static final Instant NOW = Instant.parse("2026-11-25T08:00:00Z");
    private static final RetentionSettings GIGABYTE = new RetentionSettings(
            null, 1_000_000_000, 0, RetentionSettings.Unread.EXPIRE, RetentionSettings.WhenFull.BLOCK);

    private static SinkStatus output(long expired, long pendingBytes, Duration lag, @Nullable String problem) {
        Positions.Counts counts = new Positions.Counts(0, 0, 0, 0);
        return new SinkStatus(
                "loki",
                counts,
                7,
                expired,
                pendingBytes,
                lag.toNanos(),
                0,
                0,
                0,
                0,
                0,
                0,
                Map.of(),
                Map.of(),
                0,
                "192.0.2.7",
                0,
                false,
                problem);
    }

    private static List<String> lines(List<Fault> faults) {
        return faults.stream()
                .map(it ->
                        it.kind().key() + "/" + it.subject() + " " + it.level().word() + ": " + it.text())
                .toList();
    }

    private static List<String> ofOutput(SinkStatus output, RetentionSettings retention) {
        return lines(OutputFaults.of(List.of(output), it -> 0, it -> null, MAX_LAG, retention));
    }

    @Test
    void outputThatDeliversHasNoFault() {
        assertThat(ofOutput(output(0, 799_999_999, MAX_LAG, null), GIGABYTE)).isEmpty();
        assertThat(ofOutput(output(0, Long.MAX_VALUE, MAX_LAG, null), RetentionSettings.KEEP_ALL))
                .isEmpty();
    }

    @Test
    void outputIsFailingLaggingExpiredOrFillsTheJournal() {
        assertThat(ofOutput(output(0, 0, Duration.ZERO, "refused"), GIGABYTE))
                .containsExactly("output-failing/loki degraded: output loki does not deliver, 7 are pending: refused");
        assertThat(ofOutput(output(0, 0, MAX_LAG.plusSeconds(1), null), GIGABYTE))
                .containsExactly("output-lagging/loki degraded: output loki is 301 s behind, 7 are pending");
        assertThat(ofOutput(output(3, 0, Duration.ZERO, null), GIGABYTE))
                .containsExactly("output-expired/loki failing: 3 datagrams were deleted before output loki read them");
        assertThat(ofOutput(output(0, 800_000_000, Duration.ZERO, null), GIGABYTE))
                .containsExactly("journal-near-full/loki degraded: undelivered messages of output loki use 80 % of"
                        + " journal.retention.size");
    }

    @Test
    void outputWithDeadLettersThatNobodyHasLookedAtIsAFault() {
        SinkStatus output = output(0, 0, Duration.ZERO, null);
        assertThat(lines(OutputFaults.of(List.of(output), it -> 200, it -> 1200L, MAX_LAG, GIGABYTE)))
                .containsExactly(
                        "output-rejects/loki degraded: 1,200 messages became dead letters of output loki, 200 of them in the"
                                + " last minute, and nobody has looked at them; the last one is from 192.0.2.7");
        assertThat(lines(OutputFaults.of(List.of(output), it -> 0, it -> 0L, MAX_LAG, GIGABYTE)))
                .containsExactly(
                        "output-rejects/loki degraded: output loki has dead letters that nobody has looked at");
        assertThat(OutputFaults.of(List.of(output), it -> 200, it -> null, MAX_LAG, GIGABYTE))
                .isEmpty();
    }

    @Test
    void dropsAreFaultsOfTheirReason() {
        assertThat(lines(JournalFaults.drops(
                        reason -> reason == DropReason.SOCKET_BUFFER ? Long.valueOf(12) : null, reason -> 12L)))
                .containsExactly(
                        "drops/socketBuffer failing: 12 datagrams were lost in the last minute: Millrace's socket buffers");
        // What the policy rejects and what the whole host loses are no faults of the service.
        assertThat(lines(JournalFaults.drops(reason -> 1L, reason -> 1L)))
                .noneMatch(line -> line.contains("denied") || line.contains("nic/"));
    }

    @Test
    void diskIsNearlyFullBelowTwoGigabytesOrAPartOfASmallDisk() {
        long total = 1L << 40;
        assertThat(JournalFaults.disk(2L << 30, total, RetentionSettings.KEEP_ALL))
                .isEmpty();
        assertThat(lines(JournalFaults.disk((2L << 30) - 1, total, RetentionSettings.KEEP_ALL)))
                .singleElement()
                .asString()
                .startsWith("disk-near-full/journal degraded: the disk of the journal has");
        assertThat(JournalFaults.disk(1 << 20, 20 << 20, RetentionSettings.KEEP_ALL))
                .isEmpty();
        assertThat(JournalFaults.disk((1 << 20) - 1, 20 << 20, RetentionSettings.KEEP_ALL))
                .hasSize(1);
        assertThat(JournalFaults.disk(0, 0, RetentionSettings.KEEP_ALL)).isEmpty();
    }

    @Test
    void diskIsNearlyFullWhenRetentionCannotKeepItsFreeSpace() {
        RetentionSettings free =
                new RetentionSettings(null, 0, 10_000, RetentionSettings.Unread.KEEP, RetentionSettings.WhenFull.BLOCK);
        assertThat(JournalFaults.disk(9_000, 1L << 40, free)).isEmpty();
        assertThat(JournalFaults.disk(8_999, 1L << 40, free)).hasSize(1);
    }

    @Test
    void certificateIsAFaultThreeWeeksBeforeItExpires() {
        CertificateStatus good =
                new CertificateStatus("tls", NOW.plus(Duration.ofDays(21).plusSeconds(1)), null);
        CertificateStatus soon = new CertificateStatus("tls", NOW.plus(Duration.ofDays(20)), null);
        CertificateStatus bad = new CertificateStatus("tls", NOW.plus(Duration.ofDays(90)), "it cannot be read");
        assertThat(InputFaults.certificates(List.of(good), NOW)).isEmpty();
        assertThat(lines(InputFaults.certificates(List.of(soon), NOW)))
                .containsExactly("certificate/tls degraded: the certificate of input tls expires in 20 days, at"
                        + " 2026-12-15T08:00:00Z");
        assertThat(lines(InputFaults.certificates(List.of(bad), NOW)))
                .containsExactly("certificate/tls degraded: it cannot be read");
        assertThat(InputFaults.certificates(List.of(soon, bad), NOW))
                .allSatisfy(fault -> assertThat(fault.remedy()).contains("the service takes them by itself"));
    }

    @Test
    void senderIsAFaultWithItsAddress() {
        SenderNotices notices = new SenderNotices("tcp");
        assertThat(notices.add(StreamCounter.CLOSED_MEMORY, "192.0.2.1", 0))
                .as("a line is due")
                .isTrue();
        assertThat(notices.add(StreamCounter.CLOSED_MEMORY, "192.0.2.1", 1)).isFalse();
        notices.add(StreamCounter.CLOSED_MEMORY, "192.0.2.2", 2);
        notices.add(StreamCounter.FRAMING_ERRORS, "192.0.2.3", 3);
        assertThat(lines(InputFaults.senders(notices.recent(4))))
                .containsExactly(
                        "sender/tcp framing notice: input tcp: 1 wrong octet counts in the last minute, 1 of them from"
                                + " 192.0.2.3",
                        "sender/tcp memory notice: input tcp: 3 closed connections (memory) in the last minute, 2 of them"
                                + " from 192.0.2.1");
        assertThat(notices.recent(TimeUnit.MINUTES.toNanos(2))).isEmpty();
    }

    @Test
    void silentSourcesAreNamedAndTheRestIsOneFault() {
        SourceAddress address = new SourceAddress(0, 0xffff_c000_0201L);
        SourcesStatus.Silent silent = new SourcesStatus.Silent(address, NOW, Duration.ofSeconds(1));
        SourcesStatus status =
                new SourcesStatus(5, 0, 0, 0, 0, 0, 0, 0, true, List.of(), List.of(silent), 4, List.of());
        assertThat(lines(InputFaults.silent(status)))
                .containsExactly(
                        "source-silent/192.0.2.1 notice: source 192.0.2.1 is silent since 2026-11-25T08:00:00Z",
                        "source-silent/others notice: 3 more sources are silent");
        assertThat(InputFaults.silent(null)).isEmpty();
    }

    /** What people are told when it is over must not sound as if it lasts. */
    @Test
    void endOfEachFaultIsInThePastTense() {
        SourcesStatus.Silent silent =
                new SourcesStatus.Silent(new SourceAddress(0, 0xffff_c000_0201L), NOW, Duration.ofSeconds(1));
        SenderNotices notices = new SenderNotices("tcp");
        notices.add(StreamCounter.CLOSED_MEMORY, "192.0.2.1", 0);
        List<Fault> faults = new ArrayList<>();
        faults.addAll(OutputFaults.of(
                List.of(output(3, 900_000_000, Duration.ofMinutes(6), "refused")),
                it -> 5,
                it -> 26L,
                MAX_LAG,
                GIGABYTE));
        faults.addAll(JournalFaults.blocked(List.of("shard 0: no room")));
        faults.addAll(JournalFaults.drops(
                reason -> reason == DropReason.SOCKET_BUFFER ? Long.valueOf(12) : null, reason -> 112L));
        faults.addAll(JournalFaults.disk(1, 1L << 40, RetentionSettings.KEEP_ALL));
        faults.addAll(InputFaults.notReceiving(List.of("a thread has ended")));
        faults.addAll(InputFaults.certificates(List.of(new CertificateStatus("tls", NOW, null)), NOW));
        faults.addAll(InputFaults.senders(notices.recent(1)));
        faults.addAll(InputFaults.silent(
                new SourcesStatus(5, 0, 0, 0, 0, 0, 0, 0, true, List.of(), List.of(silent), 4, List.of())));
        assertThat(faults.stream().map(Fault::kind).distinct()).hasSize(FaultKind.values().length);
        assertThat(faults.stream()
                        .map(fault -> Objects.requireNonNull(fault.ending()))
                        .toList())
                .hasSize(faults.size());
        assertThat(faults.stream()
                        .map(fault -> fault.ended(
                                        Objects.requireNonNull(fault.ending()).before(),
                                        fault.ending().amount(),
                                        Duration.ofSeconds(62))
                                .summary()))
                .containsExactly(
                        "output loki did not deliver for 1 min 2 s, up to 7 were pending",
                        "26 messages became dead letters of output loki, and somebody has looked at them",
                        "output loki was up to 360 s behind",
                        "3 datagrams were deleted before output loki read them",
                        "what output loki had not delivered took up to 90 % of journal.retention.size",
                        "the journal could not be appended to for 1 min 2 s: shard 0: no room",
                        "12 datagrams were lost: Millrace's socket buffers",
                        "the disk of the journal was nearly full for 1 min 2 s",
                        "nothing was received for 1 min 2 s: a thread has ended",
                        "the certificate of input tls had to be renewed",
                        "input tcp: up to 1 closed connections (memory) per minute, the last ones from 192.0.2.1",
                        "source 192.0.2.1 was silent since 2026-11-25T08:00:00Z",
                        "up to 3 more sources were silent");
    }

    @Test
    void documentationHasEveryKind() throws IOException {
        assertThat(Files.readString(Path.of("..", "docs", "operate", "alerts.md")))
                .contains(Arrays.stream(FaultKind.values())
                        .map(kind -> "\n| `" + kind.key() + "` | ")
                        .toList());
    }

    @Test
    void journalAndReceiversHaveOneSubjectEach() {
        assertThat(lines(JournalFaults.blocked(List.of("shard 0: no room", "shard 1: no room"))))
                .containsExactly(
                        "journal-blocked/journal failing: shard 0: no room",
                        "journal-blocked/journal failing: shard 1: no room");
        assertThat(lines(InputFaults.notReceiving(List.of("a thread has ended"))))
                .containsExactly("not-receiving/service failing: a thread has ended");
    }

    @Test
    void wordsOfOtherHostsStayInTheirLine() {
        Fault fault = new Fault(
                FaultKind.OUTPUT_FAILING, "out", Fault.Level.DEGRADED, "it fails", "no\nready\u001b[2J", "look at it");
        assertThat(fault.line()).isEqualTo("it fails: no\\nready\\u001b[2J (look at it)");
    }
}
