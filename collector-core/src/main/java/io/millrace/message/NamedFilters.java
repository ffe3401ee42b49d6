package io.millrace.message;

import io.millrace.internal.text.NearestName;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Filters with names, which expressions use as {@code filter(NAME)}. A filter may use others. Each is compiled once, when
 * something first asks for it.
 */
public final class NamedFilters {
    /** A filter that two others use is evaluated twice, and so on. */
    private static final int MAX_DEPTH = 8;

    /** No filters. */
    public static final NamedFilters NONE = new NamedFilters(Map.of());

    private final Map<String, String> expressions;
    private final Map<String, Filter> compiled = new HashMap<>();
    /** The filters that are being compiled: the last one uses the others. */
    private final Deque<String> underWay = new ArrayDeque<>();

    /** Creates filters from their expressions by name. */
    public NamedFilters(Map<String, String> expressions) {
        this.expressions = new LinkedHashMap<>(expressions);
    }

    /** The names, in their order. */
    public Set<String> names() {
        return Set.copyOf(expressions.keySet());
    }

    /** The expression of a filter; null if there is none of this name. */
    public @Nullable String expression(String name) {
        return expressions.get(name);
    }

    /**
     * Compiles a filter, and those that it uses.
     *
     * @throws IllegalArgumentException if it does not exist, is invalid, or uses itself
     */
    public synchronized Filter find(String name) {
        Filter known = compiled.get(name);
        if (known != null) {
            return known;
        }
        String expression = expressions.get(name);
        if (expression == null) {
            throw new IllegalArgumentException(unknown(name));
        }
        if (underWay.contains(name)) {
            StringBuilder chain = new StringBuilder(name);
            underWay.forEach(user -> chain.insert(0, user + " uses "));
            throw new IllegalArgumentException("a filter cannot use itself: " + chain);
        }
        if (underWay.size() == MAX_DEPTH) {
            throw new IllegalArgumentException("filters use each other more than " + MAX_DEPTH + " deep");
        }
        underWay.push(name);
        try {
            Filter filter = Filter.compile(expression, FilterScope.FILES.with(this));
            compiled.put(name, filter);
            return filter;
        } finally {
            underWay.pop();
        }
    }

    private String unknown(String name) {
        return "there is no filter " + name
                + (expressions.isEmpty()
                        ? "; the section filters of the configuration has none"
                        : NearestName.hintOrAll(name, expressions.keySet()));
    }
}
