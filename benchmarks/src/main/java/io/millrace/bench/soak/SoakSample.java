package io.millrace.bench.soak;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * A sample of the resources of the service and of the backlog of its outputs.
 *
 * @param seconds the time since the start of the sender
 * @param memoryKib anonymous memory of the process, without the mapped journal
 * @param openFiles open file descriptors
 * @param threads threads
 * @param journalBytes the size of the journal
 * @param journaled journaled datagrams so far
 * @param dropped datagrams dropped by the kernel at the socket
 * @param pendingArchive undelivered datagrams of the output {@code archive}
 * @param pendingWeb those of {@code web}
 * @param pendingQueue those of {@code queue}; 0 if there is none
 */
record SoakSample(
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

    static SoakSample take(double seconds, SoakService service, SoakPlan plan)
            throws IOException, InterruptedException {
        JsonNode ledger = service.ledger();
        JsonNode delivered = ledger.path("delivered");
        return new SoakSample(
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

    /** Retention may delete files meanwhile; they count as 0. */
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
