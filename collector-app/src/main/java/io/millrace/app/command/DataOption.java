package io.millrace.app.command;

import io.millrace.journal.read.Journal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --data} of commands that need a data directory, or the service that uses it. */
public abstract class DataOption extends HelpOption {
    private static final Path DEFAULT = Path.of("data");

    @Option(names = "--data", paramLabel = "DIR", description = "The data directory (default: ${DEFAULT-VALUE}).")
    private Path data = DEFAULT;

    /**
     * The option that was likely meant by arguments that a command on a data directory does not take; null if it cannot be
     * guessed.
     */
    public static @Nullable String meant(List<String> unmatched) {
        String first = unmatched.get(0);
        if (first.equals("--config") || first.startsWith("--config=")) {
            return "--data DIR, the data directory of that configuration";
        }
        return !first.startsWith("-") && Files.isDirectory(Path.of(first)) ? "--data " + first : null;
    }

    /** The data directory, which may not exist. */
    public final Path data() {
        return data;
    }

    /**
     * Opens the journal.
     *
     * @throws IOException if the directory has no journal
     */
    public final Journal openJournal() throws IOException {
        if (data.equals(DEFAULT) && !Files.isDirectory(data)) {
            throw new IOException("there is no data directory " + data.toAbsolutePath()
                    + ", the default, which is 'data' in the working directory: name another with --data");
        }
        return Journal.open(data);
    }
}
