package io.millrace.app.doctor.host;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The forms of /proc and /sys. */
public final class ProcText {
    private ProcText() {}

    /** The first word as a number; null if it is none. */
    public static @Nullable Long number(@Nullable String text) {
        if (text == null) {
            return null;
        }
        String word = text.strip().split("\\s+", 2)[0];
        return word.matches("-?\\d{1,18}") ? Long.valueOf(word) : null;
    }

    public static String[] words(String line) {
        return line.strip().split("\\s+", -1);
    }

    public static String oneLine(String text) {
        return text.strip().replaceAll("\\s+", " ");
    }

    /** The rest of the line that begins with a key and a colon; null if there is none. */
    public static @Nullable String field(String text, String key) {
        return text.lines()
                .map(String::strip)
                .filter(it -> it.startsWith(key + ":") || it.startsWith(key + " "))
                .map(it -> it.substring(it.indexOf(':') + 1).strip())
                .findFirst()
                .orElse(null);
    }

    /** A column of a protocol in snmp: names in one line, values in the next. */
    public static @Nullable Long snmp(String text, String protocol, String name) {
        List<String> lines =
                text.lines().filter(it -> it.startsWith(protocol + ": ")).toList();
        if (lines.size() < 2) {
            return null;
        }
        int column = Arrays.asList(words(lines.get(0))).indexOf(name);
        String[] values = words(lines.get(1));
        return column < 1 || column >= values.length ? null : number(values[column]);
    }

    /** A counter of snmp6: a name and a value a line. */
    public static @Nullable Long snmp6(String text, String name) {
        return text.lines()
                .map(ProcText::words)
                .filter(it -> it.length == 2 && it[0].equals(name))
                .map(it -> number(it[1]))
                .findFirst()
                .orElse(null);
    }

    /** How many a list such as {@code 0-3,8} names; 0 if it is none. */
    public static int countOfList(@Nullable String list) {
        int count = 0;
        if (list != null && list.strip().matches("\\d{1,5}(-\\d{1,5})?(,\\d{1,5}(-\\d{1,5})?)*")) {
            for (String range : list.strip().split(",", -1)) {
                String[] ends = range.split("-", -1);
                count += Integer.parseInt(ends[ends.length - 1]) - Integer.parseInt(ends[0]) + 1;
            }
        }
        return count;
    }

    /** How many CPUs are online; 1 if that cannot be read. */
    public static int cpus(Host host) {
        return Math.max(
                1, countOfList(host.read("/sys/devices/system/cpu/online").text()));
    }

    /** {@code since the boot 3 days ago}. */
    public static String sinceBoot(Host host) {
        String text = host.read("/proc/uptime").text();
        return text == null || !words(text)[0].matches("\\d{1,12}(\\.\\d*)?")
                ? "since the boot"
                : "since the boot " + Amounts.duration(Double.parseDouble(words(text)[0])) + " ago";
    }
}
