package io.millrace.bench.soak;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The plan of a soak test.
 *
 * @param directory an empty directory for the service, its archive and its configuration
 * @param length the length of the test
 * @param rate datagrams per second
 * @param gso datagrams per GSO batch of the sender; 1 for no GSO
 * @param runId the run id of the sender
 * @param reloadEvery how often the service reloads its configuration
 * @param refuseEvery the period of the refusals of the server of the output {@code web}
 * @param kafka the address of a broker; null for no Kafka
 * @param topic the topic
 * @param journalBytes the retention of the journal
 */
record SoakPlan(
        Path directory,
        Duration length,
        long rate,
        int gso,
        long runId,
        Duration reloadEvery,
        Duration refuseEvery,
        @Nullable String kafka,
        String topic,
        long journalBytes) {
    static final String ARCHIVE = "archive";
    static final String WEB = "web";
    static final String QUEUE = "queue";
    static final int SOURCES = 16;

    private static final int SIZE = 125;
    private static final int ROTATIONS_PER_MINUTE = 6;
    private static final long MIN_ROTATION = 1 << 20;

    String run() {
        return String.format(Locale.ROOT, "%08x", runId);
    }

    /** The length of a refusal: a ninth of the period, by default 20 s every three minutes. */
    Duration refuseFor() {
        return refuseEvery.dividedBy(9);
    }

    Path data() {
        return directory.resolve("data");
    }

    Path archive() {
        return directory.resolve("archive");
    }

    Path configFile() {
        return directory.resolve("millrace.yaml");
    }

    /**
     * The configuration of the service. Reloads alternate between two: the second has another policy and one more output, which
     * continues where it ended the last time.
     *
     * @param webPort the port of the server of the output {@code web}
     */
    String configuration(int webPort, boolean second) {
        long rotate = Math.max(MIN_ROTATION, rate * SIZE * Duration.ofMinutes(1).toSeconds() / ROTATIONS_PER_MINUTE);
        List<String> lines = new ArrayList<>(List.of(
                "inputs: {hosts: {listen: '127.0.0.1:0'}}",
                "journal: {fileSize: 64M, retention: {size: " + journalBytes + "}}",
                "policy: {deny: [192.0.2.0/24" + (second ? ", 198.51.100.7" : "") + "]}",
                "outputs:",
                "  " + ARCHIVE + ": {type: file, path: '" + archive().resolve("all.log")
                        + "', format: raw, rotateSize: " + rotate + "}",
                "  " + WEB + ": {type: http, url: 'http://127.0.0.1:" + webPort
                        + "/', format: raw, compression: none, where: 'message startswith \"" + run() + " 00000 \"'}"));
        if (kafka != null) {
            lines.add("  " + QUEUE + ": {type: kafka, brokers: ['" + kafka + "'], topic: " + topic + ", format: raw}");
        }
        if (second) {
            lines.add(
                    "  spare: {type: file, path: '" + archive().resolve("spare.log") + "', where: severity == emerg}");
        }
        return String.join("\n", lines) + "\n";
    }

    /** The options of the sender without the target. */
    List<String> senderOptions() {
        List<String> options = new ArrayList<>(List.of(
                "--rate",
                Long.toString(rate),
                "--duration",
                length.toMillis() + "ms",
                "--sources",
                Integer.toString(SOURCES),
                "--size",
                Integer.toString(SIZE),
                "--run",
                run(),
                "--json",
                "--tolerate",
                "100"));
        if (gso > 1) {
            options.addAll(List.of("--gso", Integer.toString(gso)));
        }
        return options;
    }
}
