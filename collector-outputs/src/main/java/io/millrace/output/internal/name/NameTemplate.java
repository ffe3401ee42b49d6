package io.millrace.output.internal.name;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.internal.format.template.TemplateFormat;
import io.millrace.message.LineBuffer;
import io.millrace.message.LogRecord;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Template of a name for each record: text, and in braces parts of the receive time ({@code date year month day hour})
 * and fields. Fields come from strangers, so all characters but ASCII letters, digits, dots, dashes, underscores and
 * colons become underscores. So does a dot at the beginning. A field is truncated after 100 bytes, or earlier if a file
 * name would be too long. So it names no other directory and no hidden file, and contains no {@code @}, which rotated
 * files and the fallback name {@value #OTHER} have. One thread.
 */
public final class NameTemplate {
    static final String TAKES = "text with fields in braces, such as {date}/{hostname}";
    private static final int MAX_FIELD_BYTES = 100;

    /** The maximum of 255, minus room for the time of a rotated file, its number, {@code .zst} and {@code .unfinished}. */
    private static final int MAX_COMPONENT_BYTES = 200;

    private static final int MAX_CACHED_NAMES = 10_000;
    private static final long QUARTER_HOUR_NS = 900_000_000_000L;
    private static final Map<String, DateTimeFormatter> TIMES = Map.of(
            "date", DateTimeFormatter.ofPattern("yyyy-MM-dd"),
            "year", DateTimeFormatter.ofPattern("yyyy"),
            "month", DateTimeFormatter.ofPattern("MM"),
            "day", DateTimeFormatter.ofPattern("dd"),
            "hour", DateTimeFormatter.ofPattern("HH"));

    /** Times in the templates of other programs, which are text here. */
    private static final List<@Nullable DateTimeFormatter> DATES = Arrays.asList(TIMES.get("date"), TIMES.get("year"));

    /**
     * The name of a record.
     *
     * @param text the name
     * @param fields its fields, independent of the time
     * @param other the fallback name, with {@value #OTHER} for each field, which no message can create
     */
    public record Name(String text, String fields, String other) {
        /** True if the name has no fields, or they are omitted already. */
        public boolean isOther() {
            return text.equals(other);
        }
    }

    /** No field contains the character {@code @}. */
    public static final String OTHER = "@other";

    /** A part of the template: text, time, or a field. */
    private record Part(
            @Nullable String text,
            @Nullable DateTimeFormatter time,
            @Nullable TemplateFormat field) {}

    private final String template;
    private final List<Part> parts;
    private final ZoneId zone;
    private final @Nullable Name constant;
    private final LineBuffer value = new LineBuffer();
    private final StringBuilder name = new StringBuilder();
    private final int[] fieldBegins;
    private final int[] fieldEnds;
    private int fields;
    private final Map<String, Name> names = new HashMap<>();
    private long quarterHour = Long.MIN_VALUE;
    private ZonedDateTime now;

    private NameTemplate(String template, List<Part> parts, ZoneId zone) {
        this.template = template;
        this.parts = parts;
        this.zone = zone;
        this.constant = parts.stream().allMatch(part -> part.text() != null) ? new Name(template, "", template) : null;
        int fieldCount =
                (int) parts.stream().filter(part -> part.field() != null).count();
        this.fieldBegins = new int[fieldCount];
        this.fieldEnds = new int[fieldCount];
        this.now = Instant.EPOCH.atZone(zone);
    }

    /**
     * Parses a template.
     *
     * @throws IllegalArgumentException if a brace is not closed, or a field is unknown; the message has the column
     */
    public static NameTemplate parse(String template) {
        List<Part> parts = new ArrayList<>();
        int pos = 0;
        while (pos < template.length()) {
            int brace = template.indexOf('{', pos);
            int end = brace < 0 ? template.length() : brace;
            if (end > pos) {
                parts.add(new Part(template.substring(pos, end), null, null));
            }
            pos = end;
            if (brace >= 0) {
                int close = template.indexOf('}', brace);
                if (close < 0) {
                    throw new IllegalArgumentException("column " + (brace + 1) + ": a { without its }");
                }
                String field = template.substring(brace + 1, close);
                DateTimeFormatter time = TIMES.get(field);
                parts.add(new Part(null, time, time == null ? field(field, brace) : null));
                pos = close + 1;
            }
        }
        return new NameTemplate(template, parts, ZoneId.of("UTC"));
    }

    private static TemplateFormat field(String field, int column) {
        try {
            return TemplateFormat.ofField(field);
        } catch (IllegalArgumentException e) {
            String message = String.valueOf(e.getMessage()).replaceFirst("^column 1 of the template: ", "");
            throw new IllegalArgumentException(
                    "column " + (column + 1) + ": " + message + "; of the time there are date year month day hour", e);
        }
    }

    /** A copy with times of another zone than UTC. */
    public NameTemplate in(ZoneId other) {
        return new NameTemplate(template, parts, other);
    }

    /** Likely mistakes in a valid template. */
    public List<String> warnings() {
        String foreign = ForeignNames.warning(template);
        return foreign == null ? List.of() : List.of(foreign);
    }

    /** The text up to the last slash before the first brace: the directory below which all names are. */
    public String directory() {
        int brace = template.indexOf('{');
        int slash = template.lastIndexOf('/', brace < 0 ? template.length() : brace);
        return template.substring(0, slash + 1);
    }

    /** The template of the names below {@link #directory}. */
    public NameTemplate belowDirectory() {
        return parse(template.substring(directory().length())).in(zone);
    }

    /** True if it is the same for all records. */
    public boolean isConstant() {
        return constant != null;
    }

    public boolean isOfMessages() {
        return fieldBegins.length > 0;
    }

    /** True if a day has names that no other day has. */
    public boolean isOfDate() {
        return parts.stream().anyMatch(part -> part.time() != null && DATES.contains(part.time()));
    }

    /** The beginning of a name, up to the last slash before the first field. */
    public String fixedDirectory(String made) {
        int slashes = 0;
        for (Part part : parts) {
            if (part.field() != null) {
                break;
            }
            slashes += part.text() == null
                    ? 0
                    : (int) part.text().chars().filter(c -> c == '/').count();
        }
        int end = 0;
        for (int i = 0; i < slashes; i++) {
            end = made.indexOf('/', end) + 1;
        }
        return made.substring(0, end);
    }

    /** The name of a record: usually the same object for the same name. */
    public Name of(LogRecord record) {
        if (constant != null) {
            return constant;
        }
        name.setLength(0);
        fields = 0;
        for (Part part : parts) {
            if (part.text() != null) {
                name.append(part.text());
            } else if (part.time() != null) {
                part.time().formatTo(time(record.receiveTimeNs()), name);
            } else if (part.field() != null) {
                fieldBegins[fields] = name.length();
                append(part.field(), record);
                fieldEnds[fields++] = name.length();
            }
        }
        shorten();
        String text = name.toString();
        Name known = names.get(text);
        if (known != null) {
            return known;
        }
        if (names.size() >= MAX_CACHED_NAMES) {
            // Limited, so that a million forged hosts do not fill the memory.
            names.clear();
        }
        Name made = isOfMessages() ? new Name(text, fieldsOfName(), other(record)) : new Name(text, "", text);
        names.put(text, made);
        return made;
    }

    private String fieldsOfName() {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < fields; i++) {
            all.append(name, fieldBegins[i], fieldEnds[i]).append('/');
        }
        return all.toString();
    }

    private String other(LogRecord record) {
        StringBuilder text = new StringBuilder();
        for (Part part : parts) {
            if (part.time() != null) {
                part.time().formatTo(time(record.receiveTimeNs()), text);
            } else {
                text.append(part.text() == null ? OTHER : part.text());
            }
        }
        return text.toString();
    }

    /** A regular expression for the names of a template without fields. */
    public String regex() {
        return parts.stream().map(part -> regex(part, false)).collect(Collectors.joining());
    }

    /**
     * Regular expressions for the parts of a name between its slashes. Their groups are the {@link #times}.
     *
     * @param other true for the fallback names
     */
    public List<Pattern> levels(boolean other) {
        List<String> levels = new ArrayList<>(List.of(""));
        for (Part part : parts) {
            // A slash within braces belongs to a format, and separates nothing.
            String[] texts = part.text() == null
                    ? new String[] {regex(part, other)}
                    : part.text().split("/", -1);
            for (int i = 0; i < texts.length; i++) {
                if (i > 0) {
                    levels.add("");
                }
                String regex = part.text() == null || texts[i].isEmpty() ? texts[i] : Pattern.quote(texts[i]);
                levels.set(levels.size() - 1, levels.get(levels.size() - 1) + regex);
            }
        }
        levels.removeIf(level -> level.isEmpty() || level.equals(Pattern.quote(".")));
        return levels.stream().map(Pattern::compile).toList();
    }

    private String regex(Part part, boolean other) {
        if (part.text() != null) {
            return Pattern.quote(part.text());
        }
        return part.time() == null
                ? other ? Pattern.quote(OTHER) : NamePattern.fieldRegex(MAX_FIELD_BYTES)
                : "(" + sample(part.time()).replaceAll("[0-9]", "[0-9]") + ")";
    }

    /** All times have digits at the same positions, so any time is a sample. */
    private String sample(DateTimeFormatter time) {
        return time.format(Instant.EPOCH.atZone(zone));
    }

    /** The parts of the time in the names of this moment, in their order; empty if names have none. Any thread. */
    public List<String> times(Instant moment) {
        ZonedDateTime local = moment.atZone(zone);
        List<String> times = new ArrayList<>();
        for (Part part : parts) {
            if (part.time() != null) {
                times.add(part.time().format(local));
            }
        }
        return times;
    }

    /**
     * Adds the names to a pattern.
     *
     * @param other true for the fallback names
     */
    public NamePattern addTo(NamePattern names, boolean other) {
        for (Part part : parts) {
            if (part.text() != null) {
                names.text(part.text());
            } else if (part.time() != null) {
                String sample = sample(part.time());
                for (int i = 0; i < sample.length(); i++) {
                    if (Character.isDigit(sample.charAt(i))) {
                        names.digit();
                    } else {
                        names.text(sample.substring(i, i + 1));
                    }
                }
            } else if (other) {
                names.text(OTHER);
            } else {
                names.field(MAX_FIELD_BYTES);
            }
        }
        return names;
    }

    /** Truncates fields, from the last to the first, until no file or directory name is too long. */
    private void shorten() {
        int end = name.length();
        while (end > 0) {
            int begin = name.lastIndexOf("/", end - 1) + 1;
            // A character has at most three bytes, so this is needed for few names.
            int excess = end - begin <= MAX_COMPONENT_BYTES / 3
                    ? 0
                    : name.substring(begin, end).getBytes(UTF_8).length - MAX_COMPONENT_BYTES;
            while (excess > 0 && cutLongest(begin, end)) {
                excess--;
                end--;
            }
            end = begin - 1;
        }
    }

    /** Removes a character of the longest field; returns false if all have the minimum length. */
    private boolean cutLongest(int begin, int end) {
        int longest = -1;
        int most = 1;
        for (int i = 0; i < fields; i++) {
            int length = fieldEnds[i] - fieldBegins[i];
            if (fieldBegins[i] >= begin && fieldEnds[i] <= end && length > most) {
                longest = i;
                most = length;
            }
        }
        if (longest < 0) {
            return false;
        }
        name.deleteCharAt(--fieldEnds[longest]);
        for (int i = longest + 1; i < fields; i++) {
            fieldBegins[i]--;
            fieldEnds[i]--;
        }
        return true;
    }

    private ZonedDateTime time(long timeNs) {
        long quarter = Math.floorDiv(timeNs, QUARTER_HOUR_NS);
        if (quarter != quarterHour) {
            quarterHour = quarter;
            now = Instant.ofEpochSecond(Math.floorDiv(timeNs, 1_000_000_000L)).atZone(zone);
        }
        return now;
    }

    private void append(TemplateFormat field, LogRecord record) {
        value.clear();
        field.write(record, value);
        int length = Math.min(value.length() - 1, MAX_FIELD_BYTES);
        String text = new String(value.array(), 0, length, ISO_8859_1);
        if (text.isEmpty()) {
            name.append('-');
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean safe = NamePattern.isOfField(c) && (c != '.' || i > 0);
            name.append(safe ? c : '_');
        }
    }

    @Override
    public String toString() {
        return template;
    }
}
