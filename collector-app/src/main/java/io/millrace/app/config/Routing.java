package io.millrace.app.config;

import io.millrace.internal.text.NearestName;
import io.millrace.message.Filter;
import io.millrace.message.FilterScope;
import io.millrace.message.NamedFilters;
import io.millrace.setting.Setting;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which messages each output takes: those that its {@code where} matches, and which none of the outputs in its {@code otherwise} takes.
 */
public final class Routing {
    private final Map<String, Route> outputs = new LinkedHashMap<>();
    private final NamedFilters filters;
    private final Map<String, Filter> wheres = new HashMap<>();

    /** What an output takes, whether its other settings are valid or not. */
    private record Route(String name, Bound settings) {}

    /**
     * Creates the routing of outputs.
     *
     * @param all the settings of each output, by its name
     * @param problems collects a {@code where} that refers to something that is missing, and an {@code otherwise} that names no
     *     other output or refers back
     */
    Routing(Map<String, Bound> all, NamedFilters filters, List<Problem> problems) {
        this.filters = filters;
        all.forEach((name, settings) -> outputs.put(name, new Route(name, settings)));
        outputs.values().forEach(output -> compile(output, problems));
        outputs.values().forEach(output -> check(output, problems));
    }

    private void compile(Route output, List<Problem> problems) {
        Expression where = output.settings().find(OutputOptions.WHERE);
        if (where == null) {
            return;
        }
        try {
            wheres.put(output.name(), Filter.compile(where.text(), FilterScope.FILES.with(filters)));
        } catch (IllegalArgumentException e) {
            problems.add(problem(output, OutputOptions.WHERE, String.valueOf(e.getMessage())));
        }
    }

    private void check(Route output, List<Problem> problems) {
        List<String> unknown = others(output).stream()
                .filter(name -> !outputs.containsKey(name))
                .toList();
        unknown.forEach(name -> problems.add(problem(output, OutputOptions.OTHERWISE, unknown(output, name))));
        if (unknown.isEmpty() && reaches(output, output.name(), new LinkedHashSet<>())) {
            problems.add(problem(
                    output,
                    OutputOptions.OTHERWISE,
                    "accepts outputs that do not depend on this one, and one of them does"));
        }
    }

    public NamedFilters filters() {
        return filters;
    }

    private String unknown(Route output, String name) {
        List<String> names = outputs.keySet().stream()
                .filter(other -> !other.equals(output.name()))
                .toList();
        return "accepts names of other outputs, not '" + name + "'"
                + (names.isEmpty() ? "; there is no other" : NearestName.hintOrAll(name, names));
    }

    /** True if the other outputs, and those that they name, include this name. */
    private boolean reaches(Route from, String name, Set<String> seen) {
        return others(from).stream()
                .anyMatch(other -> other.equals(name)
                        || (outputs.containsKey(other) && seen.add(other) && reaches(output(other), name, seen)));
    }

    /** Warnings of outputs that can never get a message, as far as that is simple to see. */
    public List<Problem> warnings() {
        List<Problem> warnings = new ArrayList<>();
        for (Route output : outputs.values()) {
            Filter where = wheres.get(output.name());
            String contradiction = where == null ? null : where.contradiction();
            if (contradiction != null) {
                warnings.add(problem(
                        output,
                        OutputOptions.WHERE,
                        "no message can match " + contradiction + ", so this output gets none"));
            }
            Expression expression = output.settings().find(OutputOptions.WHERE);
            String wildcard = expression == null ? null : Wildcards.warning(expression.text());
            if (wildcard != null) {
                warnings.add(problem(output, OutputOptions.WHERE, wildcard));
            }
            others(output).stream()
                    .map(this::output)
                    .flatMap(other -> takesAllOf(other, where).stream())
                    .findFirst()
                    .ifPresent(text -> warnings.add(problem(output, OutputOptions.OTHERWISE, text)));
        }
        return warnings;
    }

    /** Why another output leaves nothing of what a filter matches. */
    private Optional<String> takesAllOf(Route other, @Nullable Filter where) {
        Filter theirs = wheres.get(other.name());
        if (!others(other).isEmpty()) {
            return Optional.empty();
        }
        if (theirs == null) {
            return Optional.of(
                    "output '" + other.name() + "' has no where and accepts all messages, so this one gets none");
        }
        return where != null && where.saysTheSameAs(theirs)
                ? Optional.of("output '" + other.name() + "' has the same where, so this one gets none")
                : Optional.empty();
    }

    /** The messages that an output takes; null for all. */
    public @Nullable Filter filter(OutputConfig output) {
        return filter(output(output.name()));
    }

    private @Nullable Filter filter(Route output) {
        Filter where = wheres.get(output.name());
        List<Filter> taken = new ArrayList<>();
        for (String other : others(output)) {
            Filter filter = filter(output(other));
            taken.add(filter == null ? Filter.ALL : filter);
        }
        return taken.isEmpty() ? where : (where == null ? Filter.ALL : where).butNot(taken);
    }

    /** True if an output of another configuration has the same settings, and so have the outputs on which it depends. */
    public boolean saysTheSame(OutputConfig of, Routing other) {
        Route output = output(of.name());
        Route theirs = other.outputs.get(output.name());
        return theirs != null
                && theirs.settings().saysTheSameAs(output.settings())
                && sameFilters(output, other)
                && others(output).stream().allMatch(name -> sameFilter(output(name), other));
    }

    private boolean sameFilter(Route output, Routing other) {
        Route theirs = other.output(output.name());
        return output.settings().saysTheSame(OutputOptions.WHERE, theirs.settings())
                && sameFilters(output, other)
                && others(theirs).equals(others(output))
                && others(output).stream().allMatch(name -> sameFilter(output(name), other));
    }

    /** True if the named filters that an output uses are the same. */
    private boolean sameFilters(Route output, Routing other) {
        Filter where = wheres.get(output.name());
        return where == null
                || where.uses().stream()
                        .allMatch(name -> Objects.equals(filters.expression(name), other.filters.expression(name)));
    }

    private Route output(String name) {
        return Objects.requireNonNull(outputs.get(name));
    }

    private static List<String> others(Route output) {
        List<String> others = output.settings().find(OutputOptions.OTHERWISE);
        return others == null ? List.of() : others;
    }

    private static Problem problem(Route output, Setting<?> setting, String text) {
        Mark mark = output.settings().mark(setting);
        return Problem.of(
                mark == null ? output.settings().mark() : mark,
                OutputTypes.KEY + "." + output.name() + "." + setting.key(),
                text);
    }
}
