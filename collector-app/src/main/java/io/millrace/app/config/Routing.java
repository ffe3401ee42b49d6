package io.millrace.app.config;

import io.millrace.fields.NearestName;
import io.millrace.filter.Filter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which messages each output takes: those that its {@code where} matches, and which none of the outputs in its {@code otherwise} takes.
 */
public final class Routing {
    private final Map<String, OutputConfig> outputs = new LinkedHashMap<>();

    /** Creates the routing of some outputs. */
    public Routing(List<OutputConfig> list) {
        list.forEach(output -> outputs.put(output.name(), output));
    }

    /**
     * Checks that the outputs in {@code otherwise} exist, and do not refer back.
     *
     * @throws ConfigException if not
     */
    void check() {
        List<Problem> problems = new ArrayList<>();
        for (OutputConfig output : outputs.values()) {
            List<String> unknown = others(output).stream()
                    .filter(name -> !outputs.containsKey(name))
                    .toList();
            unknown.forEach(name -> problems.add(problem(output, unknown(output, name))));
            if (unknown.isEmpty() && reaches(output, output.name(), new LinkedHashSet<>())) {
                problems.add(problem(output, "takes outputs that do not depend on this one, and one of them does"));
            }
        }
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
    }

    private String unknown(OutputConfig output, String name) {
        List<String> names = outputs.keySet().stream()
                .filter(other -> !other.equals(output.name()))
                .toList();
        String near = NearestName.of(name, names);
        return "takes names of other outputs, not '" + name + "'"
                + (near != null
                        ? "; did you mean " + near + "?"
                        : names.isEmpty() ? "; there is no other" : "; there are " + String.join(", ", names));
    }

    /** True if the other outputs, and those that they name, include this name. */
    private boolean reaches(OutputConfig from, String name, Set<String> seen) {
        return others(from).stream()
                .anyMatch(other -> other.equals(name)
                        || (outputs.containsKey(other) && seen.add(other) && reaches(output(other), name, seen)));
    }

    /** Warnings of outputs that can never get a message, because another one takes everything. */
    public List<Problem> warnings() {
        List<Problem> warnings = new ArrayList<>();
        for (OutputConfig output : outputs.values()) {
            others(output).stream()
                    .filter(other -> takesAll(output(other)))
                    .findFirst()
                    .ifPresent(other -> warnings.add(problem(
                            output,
                            "output '" + other + "' has no where and takes all messages, so this one gets none")));
        }
        return warnings;
    }

    private static boolean takesAll(OutputConfig output) {
        return output.settings().find(OutputSettings.WHERE) == null
                && others(output).isEmpty();
    }

    /** The messages that an output takes; null for all. */
    public @Nullable Filter filter(OutputConfig output) {
        Filter where = output.settings().find(OutputSettings.WHERE);
        List<Filter> taken = new ArrayList<>();
        for (String other : others(output)) {
            Filter filter = filter(output(other));
            taken.add(filter == null ? Filter.ALL : filter);
        }
        return taken.isEmpty() ? where : (where == null ? Filter.ALL : where).butNot(taken);
    }

    /** True if an output of another configuration has the same settings, and so have the outputs on which it depends. */
    public boolean saysTheSame(OutputConfig output, Routing other) {
        OutputConfig theirs = other.outputs.get(output.name());
        return theirs != null
                && theirs.settings().saysTheSameAs(output.settings())
                && others(output).stream().allMatch(name -> sameFilter(output(name), other));
    }

    private boolean sameFilter(OutputConfig output, Routing other) {
        OutputConfig theirs = other.output(output.name());
        return output.settings().saysTheSame(OutputSettings.WHERE, theirs.settings())
                && others(theirs).equals(others(output))
                && others(output).stream().allMatch(name -> sameFilter(output(name), other));
    }

    private OutputConfig output(String name) {
        return Objects.requireNonNull(outputs.get(name));
    }

    private static List<String> others(OutputConfig output) {
        List<String> others = output.settings().find(OutputSettings.OTHERWISE);
        return others == null ? List.of() : others;
    }

    private static Problem problem(OutputConfig output, String text) {
        Mark mark = output.settings().mark(OutputSettings.OTHERWISE);
        return Problem.of(
                mark == null ? output.mark() : mark,
                OutputTypes.KEY + "." + output.name() + "." + OutputSettings.OTHERWISE.key(),
                text);
    }
}
