package io.millrace.bench.suite;

import io.millrace.bench.trial.TrialResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Why the results of a run may be wrong: a sender that was late, or a machine that did something else. */
final class Doubts {
    private static final double LATE = 0.99;

    private static final double MAX_STEAL_PERCENT = 1;

    /** Of the CPUs, when a run starts. */
    private static final double BUSY = 0.5;

    private Doubts() {}

    /** What to say before a run; null if the machine is idle, or that is unknown. */
    static @Nullable String ofMachine(String loadAverage, int cpus) {
        String first = loadAverage.split(" ", 2)[0];
        if (!first.matches("\\d+\\.\\d+") || Double.parseDouble(first) < BUSY * cpus) {
            return null;
        }
        return "the machine is busy: its load average is " + first + " on " + cpus
                + " CPUs. Wait until it is idle, or do not quote the results";
    }

    /** What to say after a run. */
    static List<String> of(List<TrialResult> results) {
        List<TrialResult> loaded =
                results.stream().filter(result -> !result.load().isIdle()).toList();
        List<String> doubts = new ArrayList<>();
        long invalid = loaded.stream().filter(result -> !result.valid()).count();
        if (invalid > 0) {
            doubts.add(invalid + " of " + loaded.size() + " trials are invalid and in no table: the report says why");
        }
        long late = loaded.stream()
                .filter(result -> result.valid()
                        && result.achievedRate() < LATE * result.load().rate())
                .count();
        if (late > 0) {
            doubts.add("in " + late + " of " + loaded.size()
                    + " trials the sender was late: it reached less than 99 % of the rate");
        }
        double steal =
                results.stream().mapToDouble(TrialResult::stealPercent).max().orElse(0);
        if (steal > MAX_STEAL_PERCENT) {
            doubts.add(String.format(
                    Locale.ROOT,
                    "the hypervisor took up to %.1f %% of the CPU time: compare ratios within a round only, or repeat the run later",
                    steal));
        }
        return doubts;
    }
}
