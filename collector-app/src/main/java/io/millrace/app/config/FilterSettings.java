package io.millrace.app.config;

import io.millrace.message.NamedFilters;
import io.millrace.setting.Setting;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The filters with names, which outputs use. */
final class FilterSettings {
    static final Setting<Map<String, Expression>> FILTERS = Setting.optional(
            "filters",
            new FiltersType(),
            "none",
            "Filters by names of your choice, such as `denies: 'fields.action == \"deny\"'`. The `where` of an output uses"
                    + " one as `filter(denies)`, and so does another filter.");

    private FilterSettings() {}

    /**
     * Compiles the filters.
     *
     * @param problems collects filters that refer to something that is missing
     */
    static NamedFilters of(Bound all, List<Problem> problems) {
        Map<String, String> expressions = new LinkedHashMap<>();
        Map<String, Expression> given = all.find(FILTERS);
        if (given != null) {
            given.forEach((name, expression) -> expressions.put(name, expression.text()));
        }
        NamedFilters filters = new NamedFilters(expressions);
        expressions.keySet().forEach(name -> {
            try {
                var unused = filters.find(name);
            } catch (IllegalArgumentException e) {
                problems.add(Problem.of(mark(all, name), FILTERS.key() + "." + name, String.valueOf(e.getMessage())));
            }
        });
        return filters;
    }

    private static Mark mark(Bound all, String name) {
        return all.given(FILTERS) instanceof Tree.Mapping mapping
                ? mapping.members().stream()
                        .filter(member -> member.key().equals(name))
                        .findFirst()
                        .map(member -> member.value().mark())
                        .orElse(all.mark())
                : all.mark();
    }
}
