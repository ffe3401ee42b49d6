package io.millrace.output.internal.name;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What other programs call a field, or a part of the time: strftime, properties of rsyslog, and macros of syslog-ng. */
public final class ForeignNames {
    private static final Pattern IN_BRACES = Pattern.compile("(?<!\\$)\\{[^}]*}");

    private static final Pattern FOREIGN = Pattern.compile(
            "%(?<time>[YmdHF])(?![A-Za-z0-9])|%(?<property>\\$?[A-Za-z][A-Za-z-]+)(:[^%]*)?%|\\$\\{?(?<macro>[A-Z_]+)\\b}?");

    private static final Map<String, String> TIMES =
            Map.of("Y", "year", "m", "month", "d", "day", "H", "hour", "F", "date");

    private static final Map<String, String> NAMES = Map.ofEntries(
            Map.entry("hostname", "hostname"),
            Map.entry("host", "hostname"),
            Map.entry("source", "hostname"),
            Map.entry("fromhost", "source_ip"),
            Map.entry("fromhost-ip", "source_ip"),
            Map.entry("host_from", "source_ip"),
            Map.entry("sourceip", "source_ip"),
            Map.entry("programname", "appname"),
            Map.entry("app-name", "appname"),
            Map.entry("syslogtag", "appname"),
            Map.entry("program", "appname"),
            Map.entry("procid", "procid"),
            Map.entry("pid", "procid"),
            Map.entry("msgid", "msgid"),
            Map.entry("msg", "message"),
            Map.entry("message", "message"),
            Map.entry("syslogfacility-text", "facility"),
            Map.entry("facility", "facility"),
            Map.entry("syslogseverity-text", "severity"),
            Map.entry("syslogpriority-text", "severity"),
            Map.entry("level", "severity"),
            Map.entry("priority", "severity"),
            Map.entry("year", "year"),
            Map.entry("month", "month"),
            Map.entry("day", "day"),
            Map.entry("hour", "hour"));

    private ForeignNames() {}

    /** Our name of what rsyslog or syslog-ng calls so; null if it is unknown. */
    public static @Nullable String field(String name) {
        return NAMES.get(name.toLowerCase(Locale.ROOT).replaceFirst("^\\$", "").replaceFirst("^[rscp]_", ""));
    }

    /** What to say of a name of another program in a template, where it is text; null if there is none. */
    public static @Nullable String warning(String template) {
        Matcher foreign = FOREIGN.matcher(IN_BRACES.matcher(template).replaceAll("{}"));
        while (foreign.find()) {
            String time = foreign.group("time");
            String name = foreign.group("property") == null ? foreign.group("macro") : foreign.group("property");
            String ours = time == null ? field(String.valueOf(name)) : TIMES.get(time);
            if (ours != null) {
                return "in '" + template + "' " + foreign.group() + " is text, not a "
                        + (TIMES.containsValue(ours) ? "time" : "field") + "; did you mean {" + ours + "}?";
            }
        }
        return null;
    }
}
