package io.millrace.bench.option;

import picocli.CommandLine.Option;

/** The length of a run. */
public final class Extent {
    @Option(names = "--quick", description = "Short trials: a run that shows that everything works (the default).")
    @SuppressWarnings("UnusedVariable") // The default.
    private boolean quick;

    @Option(names = "--full", description = "Results to publish: longer trials, several rounds.")
    private boolean full;

    /** True for results to publish. */
    public boolean isFull() {
        return full;
    }
}
