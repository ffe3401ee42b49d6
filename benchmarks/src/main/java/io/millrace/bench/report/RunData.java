package io.millrace.bench.report;

import io.millrace.bench.trial.TrialResult;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The data of a run, in the format of {@code results.json}.
 *
 * @param suite the name of the suite
 * @param mode {@code quick} or {@code full}
 * @param started the start in ISO 8601
 * @param complete false while it runs, and if it was interrupted
 * @param settings its settings
 * @param environment the properties of the host
 * @param subjects the receivers
 * @param trials the trials in order
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
    /** The name of the setting with the command. */
    public static final String COMMAND = "command";

    /**
     * A receiver.
     *
     * @param unavailable why it was not measured; null if it was measured
     */
    public record SubjectData(
            String name,
            String description,
            String configuration,
            @Nullable String unavailable) {}

    public List<TrialResult> valid(String part) {
        return trials.stream()
                .filter(trial -> trial.valid() && trial.suite().equals(part))
                .toList();
    }

    /** The valid trials of one part and receiver. */
    public List<TrialResult> valid(String part, String subject) {
        return valid(part).stream()
                .filter(trial -> trial.subject().equals(subject))
                .toList();
    }

    /** The valid trials of one part, receiver, payload size and rate. */
    public List<TrialResult> valid(String part, String subject, int size, long rate) {
        return valid(part, subject).stream()
                .filter(trial -> trial.load().size() == size && trial.load().rate() == rate)
                .toList();
    }

    /** The rates of the valid trials of one part and payload size, in order. */
    public List<Long> rates(String part, int size) {
        return valid(part).stream()
                .filter(trial -> trial.load().size() == size)
                .map(trial -> trial.load().rate())
                .distinct()
                .sorted()
                .toList();
    }

    /** The measured receivers in order. */
    public List<String> measured() {
        return subjects.stream()
                .filter(subject -> subject.unavailable() == null)
                .map(SubjectData::name)
                .toList();
    }
}
