package io.millrace.bench.powercut;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The plan of one run of the service.
 *
 * @param directory the directory with the mounted disk, for the configuration and the destination of the output too
 * @param between the mean time between two cuts
 * @param sync the level of {@code journal.sync}; null for the service's default
 * @param receivers the number of receivers, each with its shard
 * @param rates messages per second by source
 */
record CutPlan(Path directory, Duration between, @Nullable String sync, int receivers, Rates rates) {
    /** The number of the source that sends over RELP; those of the others follow. */
    static final int RELP = 0;

    static final int TCP = 1;
    static final int UDP = 2;
    static final int SOURCES = 3;

    /**
     * Messages per second; 0 for none.
     *
     * @param relp over RELP
     * @param tcp over TCP
     * @param udp over UDP
     */
    record Rates(long relp, long tcp, long udp) {
        long of(int source) {
            return source == RELP ? relp : source == TCP ? tcp : udp;
        }
    }

    private static final long SYNC_INTERVAL_MS = 1000;
    /** From the sender to the journal, on a busy host. */
    private static final long ON_THE_WAY_MS = 300;

    /** The name of the output. */
    static final String OUTPUT = "archive";

    /** The file system of the service's data. */
    enum FileSystem {
        EXT4,
        XFS;

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** How long before a cut the first lost message may have been sent. */
    long limitMillis(double longestSyncSeconds) {
        return SYNC_INTERVAL_MS + Math.round(longestSyncSeconds * 1000) + ON_THE_WAY_MS;
    }

    Path data() {
        return directory.resolve("disk").resolve("data");
    }

    /** The directory of the output's file, which is on another file system than the data. */
    Path outputDirectory() {
        return directory.resolve("out");
    }

    Path delivered() {
        return outputDirectory().resolve("all.log");
    }

    Path configFile() {
        return directory.resolve("millrace.yaml");
    }

    /** Journal files are small, so that cuts hit the moment at which a file ends, too. */
    String configuration() {
        List<String> lines = new ArrayList<>(List.of(
                "inputs:",
                "  relp: {listen: 'relp://127.0.0.1:0'}",
                "  tcp: {listen: 'tcp://127.0.0.1:0'}",
                "  udp: {listen: '127.0.0.1:0'}",
                "receive: {receivers: " + receivers + "}",
                "journal:",
                "  fileSize: 16M"));
        if (sync != null) {
            lines.add("  sync: " + sync);
        }
        lines.addAll(List.of(
                "outputs:", "  " + OUTPUT + ": {type: file, path: '" + delivered() + "', format: json, sync: batch}"));
        return String.join("\n", lines) + "\n";
    }
}
