package io.millrace.app.alert;

import io.millrace.app.config.AlertSettings;
import io.millrace.app.config.ConfigException;
import io.millrace.app.config.Problem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Factory of targets from the configuration. */
public final class AlertTargets {
    private AlertTargets() {}

    /**
     * Checks that the targets can be created.
     *
     * @throws ConfigException if one cannot; it has the place in the file
     */
    public static void check(AlertSettings settings) {
        var unused = of(settings);
    }

    /** The targets by their paths in the configuration. */
    static Map<String, AlertTarget> of(AlertSettings settings) {
        Map<String, AlertTarget> targets = new LinkedHashMap<>();
        List<Problem> problems = new ArrayList<>();
        settings.webhooks().forEach((name, webhook) -> {
            try {
                targets.put(AlertSettings.WEBHOOKS.key() + "." + name, new Webhook(webhook));
            } catch (IllegalArgumentException e) {
                String path = AlertSettings.SECTION.key() + "." + AlertSettings.WEBHOOKS.key() + "." + name;
                problems.add(Problem.of(webhook.mark(), path, ": " + e.getMessage()));
            }
        });
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
        if (!settings.command().isEmpty()) {
            targets.put(AlertSettings.COMMAND.key(), new AlertCommand(settings.command()));
        }
        return targets;
    }
}
