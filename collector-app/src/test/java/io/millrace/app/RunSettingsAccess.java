package io.millrace.app;

import io.millrace.app.config.Config;
import io.millrace.app.service.ServiceSettings;

/** What {@code config check} does beyond reading the file, for tests of other packages. */
public final class RunSettingsAccess {
    private RunSettingsAccess() {}

    /** Makes a collector, not started; throws what {@code config check} says. */
    public static void check(Config config) {
        var unused = ServiceSettings.collector(config);
    }
}
