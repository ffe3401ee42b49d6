package io.millrace.output.internal.http.elasticsearch;

import io.millrace.message.LogRecord;
import io.millrace.output.internal.name.NameLimit;
import io.millrace.output.internal.name.NameTemplate;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The names of indexes or data streams. Fields in them are limited as those of files are, and in small letters, which Elasticsearch wants. Beyond
 * the limit a name has {@value NameTemplate#OTHER} in place of each field. One thread.
 */
public final class IndexNames {
    private static final int MAX_CACHED = 10_000;
    private static final Pattern NAME =
            Pattern.compile("[^-_+.\\s\\p{Lu}{}\\\\/*?\"<>|,#:][^\\s\\p{Lu}{}\\\\/*?\"<>|,#:]*");

    private final NameTemplate template;
    private final NameLimit limit;
    private final LongAdder renamed = new LongAdder();
    private final Map<String, byte[]> actions = new HashMap<>();
    private NameTemplate.@Nullable Name last;
    private byte[] lastAction = {};
    private boolean lastAdmitted = true;

    /** Creates names. */
    public IndexNames(NameTemplate template, NameLimit limit) {
        this.template = template;
        this.limit = limit;
    }

    /**
     * Parses a name, in which <code>{date}</code> is a day such as {@code 2026.11.21}.
     *
     * @return null if it is no name of an index
     * @throws IllegalArgumentException if a brace is not closed, or a field is unknown
     */
    public static @Nullable NameTemplate parse(String text) {
        // A name begins with text, because what a field begins with is not known.
        return NAME.matcher(text.replaceAll("(?<=.)\\{[^}]*}", "0")).matches()
                ? NameTemplate.parse(text.replace("{date}", "{year}.{month}.{day}"))
                : null;
    }

    /** True if messages choose names. */
    boolean areOfMessages() {
        return template.isOfMessages();
    }

    long renamed() {
        return renamed.sum();
    }

    /** The action line for a record, up to the id. */
    @SuppressWarnings("ReferenceEquality") // Usually the same object for the same name.
    byte[] of(LogRecord record) {
        NameTemplate.Name name = template.of(record);
        if (name != last || !lastAdmitted) {
            last = name;
            lastAdmitted = name.isOther() || limit.admits(name.fields());
            lastAction = action(lastAdmitted ? name.text() : name.other());
        }
        if (!lastAdmitted) {
            renamed.increment();
        }
        return lastAction;
    }

    private byte[] action(String name) {
        if (actions.size() >= MAX_CACHED) {
            actions.clear();
        }
        return actions.computeIfAbsent(
                name, each -> BulkProtocol.action(each.toLowerCase(Locale.ROOT).replace(':', '_')));
    }
}
