package io.millrace.app.command;

import io.millrace.journal.read.Journal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option {@code --data} of commands that need a data directory, or the service that uses it. */
public abstract class DataOption extends HelpOption {
    private static final Path DEFAULT = Path.of("data");

    @Option(names = "--data", paramLabel = "DIR", description = "The data directory (default: ${DEFAULT-VALUE}).")
    private Path data = DEFAULT;

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
