package io.millrace.app;

import java.util.Objects;
import picocli.CommandLine.Command;

/** {@code millrace version}. */
@Command(name = "version", description = "Print the version of Millrace and of the Java it runs on.")
final class VersionCommand extends HelpOption implements Runnable {
    @Override
    public void run() {
        System.out.println("millrace " + version() + " (Java " + Runtime.version() + ")");
    }

    static String version() {
        String version = VersionCommand.class.getPackage().getImplementationVersion();
        return Objects.requireNonNullElse(version, "of unknown version");
    }
}
