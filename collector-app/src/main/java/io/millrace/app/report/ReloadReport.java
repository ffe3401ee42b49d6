package io.millrace.app.report;

import java.util.ArrayList;
import java.util.List;

/**
 * What came of reading the configuration again.
 *
 * @param begun outputs that are new
 * @param changed outputs that ended and began again, otherwise
 * @param ended outputs that are gone
 * @param policyChanged whether other sources may send now, or other limits hold
 * @param takesRestart sections that differ from what the service runs with, and that need a restart
 */
public record ReloadReport(
        List<String> begun,
        List<String> changed,
        List<String> ended,
        boolean policyChanged,
        List<String> takesRestart) {
    /** In words, for the log. */
    public String text() {
        List<String> parts = new ArrayList<>();
        add(parts, "outputs that began: ", begun);
        add(parts, "outputs that changed: ", changed);
        add(parts, "outputs that ended: ", ended);
        if (policyChanged) {
            parts.add("the policy changed");
        }
        if (parts.isEmpty()) {
            parts.add("nothing to change");
        }
        add(parts, "what differs in these sections holds after a restart: ", takesRestart);
        return String.join("; ", parts);
    }

    private static void add(List<String> parts, String what, List<String> names) {
        if (!names.isEmpty()) {
            parts.add(what + String.join(", ", names));
        }
    }

    /** The same as JSON. */
    public String json() {
        return Json.object(json -> {
            Json.texts(json, "begun", begun);
            Json.texts(json, "changed", changed);
            Json.texts(json, "ended", ended);
            json.writeBooleanField("policyChanged", policyChanged);
            Json.texts(json, "takesRestart", takesRestart);
        });
    }
}
