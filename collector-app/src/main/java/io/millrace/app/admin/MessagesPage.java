package io.millrace.app.admin;

import static io.millrace.app.admin.Answers.TEXT;
import static io.millrace.app.admin.Answers.query;
import static io.millrace.app.admin.Answers.send;

import com.sun.net.httpserver.HttpExchange;
import io.millrace.app.config.PointInTime;
import io.millrace.collector.Collector;
import io.millrace.message.Filter;
import io.millrace.message.FilterScope;
import io.millrace.message.InputRules;
import io.millrace.message.NamedFilters;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** {@code /api/messages}: live messages, or with {@code from} those of the past. */
final class MessagesPage {
    private static final Pattern LIMIT = Pattern.compile("[1-9][0-9]{0,3}");

    private final Supplier<NamedFilters> filters;
    private final Tail tail;
    private final MessageSearch search;

    MessagesPage(
            Collector collector,
            InputRules defaults,
            Map<String, InputRules> rules,
            Supplier<NamedFilters> filters,
            BooleanSupplier stopping) {
        this.filters = filters;
        this.tail = new Tail(collector, defaults, rules, stopping);
        this.search = new MessageSearch(collector, defaults, rules, stopping);
    }

    void answer(HttpExchange exchange) throws IOException {
        Map<String, String> query = query(exchange);
        try {
            Filter filter = filter(query.getOrDefault("where", ""));
            Instant from = time(query, "from");
            for (String name : List.of("until", "limit")) {
                if (from == null && query.containsKey(name)) {
                    throw new IllegalArgumentException(name + " belongs to a search, which needs its beginning: from");
                }
            }
            Instant until = Objects.requireNonNullElseGet(time(query, "until"), Instant::now);
            boolean answered = from == null
                    ? tail.stream(exchange, filter)
                    : search.answer(exchange, filter, from, until, limit(query));
            if (!answered) {
                send(exchange, 503, TEXT, "the limit of open tails and searches is reached: close another page\n");
            }
        } catch (IllegalArgumentException e) {
            send(exchange, 400, TEXT, e.getMessage() + "\n");
        }
    }

    private @Nullable Filter filter(String where) {
        // Who sees messages must not learn what is in other files of the host.
        return where.isBlank() ? null : Filter.compile(where, FilterScope.NONE.with(filters.get()));
    }

    private static @Nullable Instant time(Map<String, String> query, String name) {
        String text = query.getOrDefault(name, "").strip();
        Instant time = PointInTime.parse(text);
        if (time == null && !text.isEmpty()) {
            throw new IllegalArgumentException(name + " accepts " + PointInTime.TAKES + ", not '" + text + "'");
        }
        return time;
    }

    private static int limit(Map<String, String> query) {
        String limit = query.getOrDefault("limit", "200");
        if (!LIMIT.matcher(limit).matches()) {
            throw new IllegalArgumentException("limit accepts a number from 1 to 9999, not '" + limit + "'");
        }
        return Integer.parseInt(limit);
    }
}
