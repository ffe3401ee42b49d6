package io.millrace.bench.soak;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * What the service takes from its host at a moment, and how far its outputs are behind.
 *
 * @param seconds since the sender began
 * @param memoryKib memory of the process's own; mapped pages of the journal, which the kernel may take back, are not
 * @param openFiles file descriptors
 * @param threads threads
 * @param journalBytes length of the journal's files
 * @param journaled datagrams so far
 * @param dropped datagrams that the kernel dropped at the socket
 * @param pendingArchive datagrams that wait for the output {@code archive}
 * @param pendingWeb for {@code web}
 * @param pendingQueue for {@code queue}; 0 if there is none
 */
record Sample(
        double seconds,
        long memoryKib,
        long openFiles,
        long threads,
        long journalBytes,
        long journaled,
        long dropped,
        long pendingArchive,
        long pendingWeb,
        long pendingQueue) {
    static final String HEADER = "seconds,memoryKib,openFiles,threads,journalBytes,journaled,dropped,"
            + "pendingArchive,pendingWeb,pendingQueue";

    static Sample take(double seconds, SoakService service, SoakPlan plan) throws IOException, InterruptedException {
        JsonNode ledger = service.ledger();
        JsonNode delivered = ledger.path("delivered");
        return new Sample(
                seconds,
                service.status("RssAnon"),
                service.openFiles(),
                service.status("Threads"),
                length(plan.data().resolve("journal")),
                ledger.path("journaled").asLong(),
                ledger.at("/dropped/socketBuffer").asLong(),
                delivered.at("/" + SoakPlan.ARCHIVE + "/pending").asLong(),
                delivered.at("/" + SoakPlan.WEB + "/pending").asLong(),
                delivered.at("/" + SoakPlan.QUEUE + "/pending").asLong());
    }

    /** Retention may delete any of them meanwhile: it counts as nothing then. */
    private static long length(Path journal) {
        long sum = 0;
        for (File shard : files(journal.toFile())) {
            for (File file : files(shard)) {
                sum += file.length();
            }
        }
        return sum;
    }

    private static File[] files(File directory) {
        File[] files = directory.listFiles();
        return files == null ? new File[0] : files;
    }

    long pending() {
        return Math.max(pendingArchive, Math.max(pendingWeb, pendingQueue));
    }

    String csv() {
        return String.format(
                Locale.ROOT,
                "%.1f,%d,%d,%d,%d,%d,%d,%d,%d,%d",
                seconds,
                memoryKib,
                openFiles,
                threads,
                journalBytes,
                journaled,
                dropped,
                pendingArchive,
                pendingWeb,
                pendingQueue);
    }
}
