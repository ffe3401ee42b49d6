package io.millrace.output.file;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a rotated file: {@code app@20261121T100000Z.log} of {@code app.log}, with a number if there was one in the same second,
 * and the suffix of its compression. Fields contain no {@code @}, so no message can select it.
 *
 * @param base the name of the file that was rotated
 * @param time when it was rotated
 * @param number 0 for the first in a second
 */
record RotatedName(String base, Instant time, int number) implements Comparable<RotatedName> {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final Pattern REST = Pattern.compile("(\\d{8}T\\d{6}Z)(?:\\.(\\d{1,6}))?(.*)");
    private static final List<String> COMPRESSED = List.of("", ".gz", ".zst");
    private static final Comparator<RotatedName> ORDER =
            Comparator.comparing(RotatedName::time).thenComparingInt(RotatedName::number);

    String text() {
        int dot = base.lastIndexOf('.');
        int end = dot > 0 ? dot : base.length();
        return base.substring(0, end) + "@" + TIME.format(time) + (number == 0 ? "" : "." + number)
                + base.substring(end);
    }

    /**
     * What the name of a file may be: {@code app@TIME.1} is the second of {@code app} in a second, or the first of {@code app.1}. Empty
     * if it is not the name of a rotated file.
     */
    static List<RotatedName> parse(String name) {
        int at = name.lastIndexOf('@');
        Matcher rest = REST.matcher(name.substring(at + 1));
        if (at < 0 || !rest.matches()) {
            return List.of();
        }
        Instant time;
        try {
            time = Instant.from(TIME.parse(rest.group(1)));
        } catch (DateTimeException e) {
            // Digits that are no time.
            return List.of();
        }
        String stem = name.substring(0, at);
        int number = rest.group(2) == null ? 0 : Integer.parseInt(rest.group(2));
        String withNumber = name.substring(at + 1 + rest.end(1));
        List<RotatedName> found = new ArrayList<>();
        for (String suffix : COMPRESSED) {
            for (RotatedName made : List.of(
                    new RotatedName(stem + cut(rest.group(3), suffix), time, number),
                    new RotatedName(stem + cut(withNumber, suffix), time, 0))) {
                if (name.equals(made.text() + suffix) && !found.contains(made)) {
                    found.add(made);
                }
            }
        }
        return found;
    }

    private static String cut(String text, String suffix) {
        return text.endsWith(suffix) ? text.substring(0, text.length() - suffix.length()) : text;
    }

    @Override
    public int compareTo(RotatedName other) {
        return ORDER.compare(this, other);
    }
}
