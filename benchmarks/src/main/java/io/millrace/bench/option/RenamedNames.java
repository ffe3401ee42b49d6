package io.millrace.bench.option;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Old names of commands and receivers: an error about an unknown name also gives the new one. */
public final class RenamedNames {
    /** The old name of the field {@code gsoSegments} in the results of a run. */
    public static final String OLD_GSO_SEGMENTS = "train";

    private static final Map<String, String> NEW_NAMES = Map.of(
            "ladder", "receiver-comparison",
            "rung", "reference",
            "floor-discard", "baseline-discard",
            "floor-append", "baseline-append",
            "floor-metadata", "baseline-metadata",
            "floor-recv", "baseline-recv",
            "floor-ring", "baseline-ring");

    private RenamedNames() {}

    /** The new name for the end of an error message; empty if the name is not an old one. */
    public static String hint(String name) {
        return Optional.ofNullable(NEW_NAMES.get(name))
                .map(renamed -> " ('" + name + "' is now '" + renamed + "')")
                .orElse("");
    }

    /** The hint for the first old name among the arguments of the command line. */
    public static String hint(List<String> arguments) {
        return arguments.stream()
                .map(RenamedNames::hint)
                .filter(hint -> !hint.isEmpty())
                .findFirst()
                .orElse("");
    }
}
