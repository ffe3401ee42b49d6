package io.millrace.app.command;

import picocli.CommandLine.Option;

/** The option every command has, and inherits from here. */
public abstract class HelpOption {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help and exit.")
    @SuppressWarnings("UnusedVariable") // Picocli asks for it.
    private boolean help;
}
