package io.millrace.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.bench.trial.Load;
import io.millrace.bench.trial.TrialResult;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DoubtsTest {
    private static TrialResult trial(double achievedRate, double steal, @Nullable String voidReason) {
        Load load = new Load(10_000, 1, 125, 16, 1, "even");
        return new TrialResult(
                "cost",
                "nio",
                1,
                load,
                10_000,
                10_000,
                0,
                0,
                0L,
                achievedRate,
                1000.0,
                50.0,
                1 << 20,
                null,
                null,
                0,
                0,
                steal,
                null,
                null,
                voidReason);
    }

    @Test
    void lateSendersAndStolenTimeAreNamed() {
        assertThat(Doubts.of(List.of(trial(10_000, 0, null), trial(9_950, 0.5, null))))
                .isEmpty();
        assertThat(Doubts.of(List.of(trial(10_000, 0, null), trial(9_800, 2.5, null), trial(5_000, 0, "late"))))
                .containsExactly(
                        "1 of 3 trials are invalid and in no table: the report says why",
                        "in 1 of 3 trials the sender was late: it reached less than 99 % of the rate",
                        "the hypervisor took up to 2.5 % of the CPU time: compare ratios within a round only, or repeat the"
                                + " run later");
    }

    @Test
    void busyMachinesAreNamed() {
        assertThat(Doubts.ofMachine("0.12 0.05 0.02 1/123 4711", 2)).isNull();
        assertThat(Doubts.ofMachine("unknown", 2)).isNull();
        assertThat(Doubts.ofMachine("1.70 0.9 0.5 3/123 4711", 2))
                .isEqualTo(
                        "the machine is busy: its load average is 1.70 on 2 CPUs. Wait until it is idle, or do not quote"
                                + " the results");
    }
}
