package io.millrace.app.report;

import java.util.ArrayList;
import java.util.List;

/**
 * The result of a reload.
 *
 * @param begun new outputs
 * @param changed outputs that were restarted with other settings
 * @param ended removed outputs
 * @param policyChanged true if the policy has changed
 * @param takesRestart changed sections that need a restart
 * @param alertsChanged true if the settings of alerts have changed
 * @param sourcesChanged true if the settings of source tracking have changed
 * @param warnings likely mistakes in the new file
 */
public record ReloadReport(
        List<String> begun,
        List<String> changed,
        List<String> ended,
        boolean policyChanged,
        List<String> takesRestart,
        boolean alertsChanged,
        boolean sourcesChanged,
        List<String> warnings) {
    /** The result as text, for the log. */
    public String text() {
        List<String> parts = new ArrayList<>();
        add(parts, "outputs that began: ", begun);
        add(parts, "outputs that changed: ", changed);
        add(parts, "outputs that ended: ", ended);
        if (policyChanged) {
            parts.add("the policy changed");
        }
        if (alertsChanged) {
            parts.add("the alerts changed");
        }
        if (sourcesChanged) {
            parts.add("the sources changed");
        }
        if (parts.isEmpty()) {
            parts.add("nothing to change");
        }
        add(parts, "what differs in these sections holds after a restart: ", takesRestart);
        return String.join("; ", parts);
    }

    /** The result and the warnings, for the user who asked. */
    public String page() {
        StringBuilder page = new StringBuilder(text()).append('\n');
        warnings.forEach(warning -> page.append("warning: ").append(warning).append('\n'));
        return page.toString();
    }

    private static void add(List<String> parts, String what, List<String> names) {
        if (!names.isEmpty()) {
            parts.add(what + String.join(", ", names));
        }
    }

    public String json() {
        Node node = new Node()
                .put("begun", begun)
                .put("changed", changed)
                .put("ended", ended)
                .put("policyChanged", policyChanged)
                .put("takesRestart", takesRestart)
                .put("alertsChanged", alertsChanged);
        if (sourcesChanged) {
            node.put("sourcesChanged", true);
        }
        return node.put("warnings", warnings).json();
    }
}
