package io.millrace.app.config;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** The configuration is invalid: all problems in the order of the file. */
public final class ConfigException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    @SuppressWarnings("serial") // Never serialized.
    private final List<Problem> problems;

    /** Creates the exception with at least one problem, in any order. */
    public ConfigException(List<Problem> problems) {
        super(sorted(problems).stream().map(Problem::toString).collect(Collectors.joining("\n")));
        this.problems = sorted(problems);
    }

    /** Creates the exception for one problem, with the failure behind it. */
    public ConfigException(Problem problem, Throwable cause) {
        this(List.of(problem));
        initCause(cause);
    }

    private static List<Problem> sorted(List<Problem> problems) {
        return problems.stream()
                .sorted(Comparator.comparingInt((Problem it) -> it.mark().line())
                        .thenComparingInt(it -> it.mark().column()))
                .toList();
    }

    public List<Problem> problems() {
        return problems;
    }
}
