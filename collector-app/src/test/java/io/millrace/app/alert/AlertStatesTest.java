package io.millrace.app.alert;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.app.fault.Fault;
import io.millrace.app.fault.FaultKind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AlertStatesTest {
    private static final Instant START = Instant.parse("2026-11-25T08:00:00Z");
    private static final Duration AFTER = Duration.ofSeconds(10);
    private static final Duration REPEAT = Duration.ofHours(4);

    private final AlertStates states = new AlertStates();

    /** What is told at a second, as {@code state kind/subject}. */
    private List<String> at(long second, Fault... faults) {
        return at(second, REPEAT, List.of(faults));
    }

    private List<String> at(long second, Duration repeat, List<Fault> faults) {
        // A time of nanoTime() may be negative, and overflow.
        long nowNs = Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(15) + TimeUnit.SECONDS.toNanos(second);
        return states.update(faults, AFTER, repeat, nowNs, START.plusSeconds(second)).stream()
                .map(it -> it.state().word() + " " + it.kind() + "/" + it.subject() + (it.repeated() ? " again" : ""))
                .toList();
    }

    private static Fault failing(String output) {
        return new Fault(FaultKind.OUTPUT_FAILING, output, Fault.Level.DEGRADED, "it fails", "refused", null);
    }

    private static Fault silent(String source) {
        return new Fault(FaultKind.SOURCE_SILENT, source, Fault.Level.NOTICE, "it is silent", null, null);
    }

    @Test
    void faultIsToldOnceAfterItHasLastedAndItsEndOnceItHasBeenGone() {
        assertThat(at(0, failing("loki"))).isEmpty();
        assertThat(at(9, failing("loki"))).isEmpty();
        assertThat(states.firing()).isEmpty();
        assertThat(at(10, failing("loki"))).containsExactly("firing output-failing/loki");
        assertThat(states.firing()).extracting(Fault::subject).containsExactly("loki");
        assertThat(at(60, failing("loki"))).isEmpty();
        assertThat(at(61)).isEmpty();
        assertThat(at(70)).isEmpty();
        assertThat(at(71)).containsExactly("resolved output-failing/loki");
        assertThat(states.firing()).isEmpty();
        assertThat(at(72)).isEmpty();
    }

    @Test
    void shortFaultIsNotTold() {
        assertThat(at(0, failing("loki"))).isEmpty();
        assertThat(at(5)).isEmpty();
        assertThat(at(12, failing("loki"))).isEmpty();
        assertThat(at(21, failing("loki"))).isEmpty();
        assertThat(at(22, failing("loki"))).containsExactly("firing output-failing/loki");
    }

    @Test
    void faultThatComesAndGoesIsOneAlert() {
        at(0, failing("loki"));
        assertThat(at(10, failing("loki"))).hasSize(1);
        for (int second = 11; second < 100; second++) {
            assertThat(second % 10 < 5 ? at(second) : at(second, failing("loki")))
                    .isEmpty();
        }
        at(100);
        assertThat(at(110)).containsExactly("resolved output-failing/loki");
    }

    @Test
    void lastingFaultIsRepeated() {
        at(0, failing("loki"));
        at(10, failing("loki"));
        assertThat(at(10 + 4 * 3600 - 1, failing("loki"))).isEmpty();
        assertThat(at(10 + 4 * 3600, failing("loki"))).containsExactly("firing output-failing/loki again");
        assertThat(at(11 + 4 * 3600, failing("loki"))).isEmpty();
        assertThat(at(10 + 8 * 3600, failing("loki"))).hasSize(1);
    }

    @Test
    void nothingIsRepeatedWithZero() {
        at(0, failing("loki"));
        at(10, failing("loki"));
        assertThat(at(1_000_000, Duration.ZERO, List.of(failing("loki")))).isEmpty();
    }

    @Test
    void subjectsAreAlertsOfTheirOwnAndTextsAreTheLast() {
        at(0, failing("loki"), failing("kafka"));
        assertThat(at(10, failing("loki"), failing("kafka"), failing("kafka")))
                .containsExactly("firing output-failing/loki", "firing output-failing/kafka");
        at(11, failing("kafka"));
        assertThat(at(21, failing("kafka"))).containsExactly("resolved output-failing/loki");
    }

    @Test
    void sourceThatNoLongerFitsIntoTheListIsNotResolved() {
        at(0, silent("192.0.2.1"));
        assertThat(at(10, silent("192.0.2.1"))).containsExactly("firing source-silent/192.0.2.1");
        at(11, silent("192.0.2.2"), silent(Fault.OTHERS));
        assertThat(at(30, silent("192.0.2.2"), silent(Fault.OTHERS)))
                .containsExactly("firing source-silent/192.0.2.2", "firing source-silent/others");
        at(31, silent("192.0.2.2"));
        assertThat(at(41, silent("192.0.2.2")))
                .containsExactly("resolved source-silent/192.0.2.1", "resolved source-silent/others");
    }

    /** The text of the only notification of one check. */
    private String textAt(long second, Fault... faults) {
        List<Notification> told = states.update(
                List.of(faults), AFTER, REPEAT, TimeUnit.SECONDS.toNanos(second), START.plusSeconds(second));
        assertThat(told).hasSize(1);
        return told.get(0).state().word() + ": " + told.get(0).summary();
    }

    private static Fault drops(long inMinute, long total) {
        return new Fault(
                FaultKind.DROPS,
                "socketBuffer",
                Fault.Level.FAILING,
                inMinute + " datagrams were lost in the last minute",
                null,
                null,
                new Fault.Ending("{amount} datagrams were lost: Millrace's socket buffers", total, total - inMinute));
    }

    /** The last minute of a loss is not the loss. */
    @Test
    void endOfALossHasItsTotalInThePastTense() {
        states.update(List.of(drops(1_000, 6_000)), AFTER, REPEAT, 0, START);
        assertThat(textAt(10, drops(101_000, 106_000)))
                .isEqualTo("firing: 101000 datagrams were lost in the last minute");
        states.update(List.of(drops(372, 160_981)), AFTER, REPEAT, TimeUnit.SECONDS.toNanos(70), START);
        states.update(List.of(), AFTER, REPEAT, TimeUnit.SECONDS.toNanos(71), START);
        assertThat(textAt(81)).isEqualTo("resolved: 155,981 datagrams were lost: Millrace's socket buffers");
    }

    @Test
    void endOfAnOutageHasItsLengthAndItsHeight() {
        for (int second = 0; second <= 70; second += 35) {
            long pending = second == 35 ? 1234 : 5;
            states.update(
                    List.of(new Fault(
                            FaultKind.OUTPUT_FAILING,
                            "loki",
                            Fault.Level.DEGRADED,
                            "output loki does not deliver",
                            "refused",
                            null,
                            new Fault.Ending(
                                    "output loki did not deliver for {time}, up to {amount} were pending",
                                    pending,
                                    -1))),
                    AFTER,
                    REPEAT,
                    TimeUnit.SECONDS.toNanos(second),
                    START);
        }
        states.update(List.of(), AFTER, REPEAT, TimeUnit.SECONDS.toNanos(72), START);
        assertThat(textAt(90))
                .isEqualTo("resolved: output loki did not deliver for 1 min 12 s, up to 1,234 were pending");
    }

    @Test
    void outputNamedOthersIsAnOutput() {
        at(0, failing(Fault.OTHERS), failing("loki"));
        assertThat(at(10, failing(Fault.OTHERS), failing("loki"))).hasSize(2);
        at(11, failing(Fault.OTHERS));
        assertThat(at(21, failing(Fault.OTHERS))).containsExactly("resolved output-failing/loki");
    }

    @Test
    void manySubjectsTakeBoundedMemory() {
        for (int second = 0; second < 100; second++) {
            int first = 100 * second;
            List<Fault> faults = new ArrayList<>(IntStream.range(first, first + 100)
                    .mapToObj(i -> silent("source " + i))
                    .toList());
            faults.add(silent(Fault.OTHERS));
            at(second * 20L, REPEAT, faults);
            at(second * 20L + 10, REPEAT, faults);
        }
        assertThat(states.firing()).hasSize(AlertStates.MAX_OF_KIND);
        at(2000, failing("loki"), silent(Fault.OTHERS));
        assertThat(at(2010, failing("loki"), silent(Fault.OTHERS))).containsExactly("firing output-failing/loki");
    }
}
