package io.millrace.app.command;

import picocli.CommandLine.Option;

/** The option {@code --help}, which all commands inherit. */
public abstract class HelpOption {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help and exit.")
    @SuppressWarnings("UnusedVariable") // Read by picocli.
    private boolean help;
}
