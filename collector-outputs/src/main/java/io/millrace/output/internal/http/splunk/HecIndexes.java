package io.millrace.output.internal.http.splunk;

import io.millrace.message.LogRecord;
import io.millrace.output.internal.name.NameLimit;
import io.millrace.output.internal.name.NameTemplate;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The names of indexes. Splunk wants small letters, digits, underscores and dashes, with a letter or digit first, and not the word {@code kvstore}
 * (indexes.conf). Fields are limited as those of files are, and what they contain beside that becomes an underscore. Beyond the limit a name has
 * {@value #OTHER} in place of each field. One thread.
 */
public final class HecIndexes {
    /** Unlike the fallback of other names it has no {@code @}, which Splunk does not allow. */
    static final String OTHER = "other";

    private static final int MAX_CHARS = 80;
    private static final String RESERVED = "kvstore";
    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9_-]*");

    private final NameTemplate template;
    private final NameLimit limit;
    private final LongAdder renamed = new LongAdder();
    private NameTemplate.@Nullable Name last;
    private String lastName = "";
    private boolean lastAdmitted = true;

    /** Creates names. */
    public HecIndexes(NameTemplate template, NameLimit limit) {
        this.template = template;
        this.limit = limit;
    }

    /**
     * Parses a name, in which <code>{date}</code> is a day such as {@code 2026-11-21}.
     *
     * @return null if it is no name of an index
     * @throws IllegalArgumentException if a brace is not closed, or a field is unknown
     */
    public static @Nullable NameTemplate parse(String text) {
        // A name begins with text, because what a field begins with is not known.
        String sample = text.replaceAll("(?<=.)\\{[^}]*}", "0");
        return NAME.matcher(sample).matches() && sample.length() <= MAX_CHARS && !sample.contains(RESERVED)
                ? NameTemplate.parse(text)
                : null;
    }

    /** True if messages choose names. */
    boolean areOfMessages() {
        return template.isOfMessages();
    }

    long renamed() {
        return renamed.sum();
    }

    /** The index of a record. */
    @SuppressWarnings("ReferenceEquality") // Usually the same object for the same name.
    String of(LogRecord record) {
        NameTemplate.Name name = template.of(record);
        if (name != last || !lastAdmitted) {
            last = name;
            lastName = valid(name.text());
            lastAdmitted = name.isOther() || (!lastName.contains(RESERVED) && limit.admits(name.fields()));
            if (!lastAdmitted) {
                lastName = valid(name.other().replace(NameTemplate.OTHER, OTHER));
            }
        }
        if (!lastAdmitted) {
            renamed.increment();
        }
        return lastName;
    }

    private static String valid(String name) {
        String text = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9_-]", "_");
        return text.length() <= MAX_CHARS ? text : text.substring(0, MAX_CHARS);
    }

    @Override
    public String toString() {
        return template.toString();
    }
}
