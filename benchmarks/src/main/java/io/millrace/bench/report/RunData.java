package io.millrace.bench.report;

import io.millrace.bench.trial.TrialResult;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A run as {@code results.json} holds it.
 *
 * @param suite which one
 * @param mode how long it was to take: {@code quick}, {@code full} or {@code custom}
 * @param started when, in ISO 8601
 * @param complete false as long as it goes on, and for ever if it was interrupted
 * @param settings what it was told, by option
 * @param environment the host, by what was read
 * @param subjects the receivers
 * @param trials what was measured, in its order
 */
public record RunData(
        String suite,
        String mode,
        String started,
        boolean complete,
        Map<String, String> settings,
        Map<String, String> environment,
        List<SubjectData> subjects,
        List<TrialResult> trials) {
    /** The setting that is the command itself. */
    public static final String COMMAND = "command";

    /**
     * A receiver.
     *
     * @param unavailable why it was not measured; null if it was
     */
    public record SubjectData(
            String name,
            String description,
            String configuration,
            @Nullable String unavailable) {}

    /** The trials of one part that count. */
    public List<TrialResult> valid(String part) {
        return trials.stream()
                .filter(trial -> trial.valid() && trial.suite().equals(part))
                .toList();
    }

    /** The receivers that were measured, in their order. */
    public List<String> measured() {
        return subjects.stream()
                .filter(subject -> subject.unavailable() == null)
                .map(SubjectData::name)
                .toList();
    }
}
