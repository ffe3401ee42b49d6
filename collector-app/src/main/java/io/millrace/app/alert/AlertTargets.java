package io.millrace.app.alert;

import io.millrace.app.config.AlertSettings;
import io.millrace.app.config.ConfigException;
import io.millrace.app.config.Problem;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

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

    /**
     * Attempts to send a test to each target, which return what it answered, by the paths of the targets in the configuration.
     *
     * @param version of Millrace
     * @throws ConfigException if a target cannot be created
     */
    public static Map<String, Callable<String>> tests(AlertSettings settings, String version) {
        String json = Notification.test(Instant.now()).json(Notification.Sender.here(version), 0);
        Map<String, Callable<String>> tests = new LinkedHashMap<>();
        of(settings).forEach((name, target) -> tests.put(name, () -> target.send(json)));
        return tests;
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
