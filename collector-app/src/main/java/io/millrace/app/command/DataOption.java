package io.millrace.app.command;

import io.millrace.app.control.DataSearch;
import io.millrace.journal.Journal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of commands that need a data directory, or the service that uses it. */
public abstract class DataOption extends HelpOption {
    @Option(
            names = "--data",
            paramLabel = "DIR",
            description =
                    "The data directory (default: that of --config; else that of /etc/millrace/millrace.yaml; else data, if it"
                            + " is there; else that of the running service).")
    private @Nullable Path data;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "The configuration file, whose data directory is meant.")
    private @Nullable Path config;

    private @Nullable Path found;

    /**
     * The option that was likely meant by arguments that a command on a data directory does not take; null if it cannot be
     * guessed.
     */
    public static @Nullable String meant(List<String> unmatched) {
        String first = unmatched.get(0);
        if (first.startsWith("-") || !Files.exists(Path.of(first))) {
            return null;
        }
        return Files.isDirectory(Path.of(first))
                ? "--data " + first
                : first.matches(".*\\.ya?ml") ? "--config " + first : null;
    }

    /**
     * The data directory, which may not exist.
     *
     * @throws IOException if it was searched and not found
     */
    public final Path data() throws IOException {
        if (found == null) {
            found = data != null ? data : config != null ? new DataSearch().of(config) : search();
        }
        return found;
    }

    private static Path search() throws IOException {
        DataSearch.Found found = new DataSearch().find();
        if (!found.path().equals(DataSearch.DEFAULT) && Files.isDirectory(DataSearch.DEFAULT)) {
            System.err.println("millrace: the data directory is " + found.path() + ", of " + found.origin()
                    + ", not data in the working directory: name another with --data");
        }
        return found.path();
    }

    /**
     * Opens the journal.
     *
     * @throws IOException if the directory has no journal
     */
    public final Journal openJournal() throws IOException {
        return Journal.open(data());
    }
}
