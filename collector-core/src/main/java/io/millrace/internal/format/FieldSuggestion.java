package io.millrace.internal.format;

import io.millrace.internal.text.NearestName;
import io.millrace.message.RecordField;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Which field may be meant by a name that is none. */
public final class FieldSuggestion {
    private static final String BODY = "fields.";
    private static final String NAME = "NAME";

    /** What other programs call fields. */
    private static final Map<String, String> OTHER_NAMES = Map.ofEntries(
            Map.entry("host", "hostname"),
            Map.entry("program", "appname"),
            Map.entry("programname", "appname"),
            Map.entry("tag", "appname"),
            Map.entry("app", "appname"),
            Map.entry("msg", "message"),
            Map.entry("text", "message"),
            Map.entry("level", "severity"),
            Map.entry("time", "timestamp"),
            Map.entry("ip", "source_ip"),
            Map.entry("fromhost_ip", "source_ip"),
            Map.entry("rawmsg", "raw"),
            Map.entry("sd", "sd.ID.NAME"));

    private FieldSuggestion() {}

    /** A text such as {@code "; did you mean hostname?"}; what is like no field may be in the message body. */
    public static String of(String name) {
        int dot = name.indexOf('.');
        String first = dot < 0 ? name : name.substring(0, dot);
        String rest = dot < 0 ? NAME : name.substring(dot + 1);
        List<String> known = new ArrayList<>(
                Arrays.stream(RecordField.values()).map(RecordField::key).toList());
        if (dot >= 0) {
            known.clear();
        }
        known.addAll(List.of("fields", "field", "extension", "extensions", "json"));
        String other = dot < 0 ? OTHER_NAMES.get(name) : null;
        String near = other == null ? NearestName.of(first, known) : other;
        if (near == null) {
            return meant(BODY + name);
        }
        if (RecordField.of(near) != null || near.equals(other)) {
            return meant(near);
        }
        return meant(BODY + (rest.isEmpty() ? NAME : rest));
    }

    private static String meant(String name) {
        return "; did you mean " + name + "?";
    }
}
