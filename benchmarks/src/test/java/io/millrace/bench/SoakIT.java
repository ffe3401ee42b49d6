package io.millrace.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.bench.host.Programs;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The soak as a user runs it, with a real Kafka. It is short; {@code -Dmillrace.it.soak=30} has it take so many minutes, at {@code
 * -Dmillrace.it.rate=100000}, and {@code -Dmillrace.it.out=DIR} keeps its report.
 */
@Tag("calm")
@Tag("once")
@Tag("full")
class SoakIT {
    private static final String TOPIC = "soak";
    private static final Path JAR = Path.of("target", "benchmarks.jar");

    private static final Pattern ACKNOWLEDGED = Pattern.compile("output queue: acknowledged ([0-9,]+)");

    @TempDir
    private Path directory;

    @Test
    void nothingIsUnaccountedFor() throws Exception {
        double minutes = Double.parseDouble(System.getProperty("millrace.it.soak", "0.25"));
        int rate = Integer.getInteger("millrace.it.rate", 10_000);
        Path out = Path.of(
                System.getProperty("millrace.it.out", directory.resolve("out").toString()));
        boolean isLong = minutes >= 5;
        try (KafkaBroker broker = KafkaBroker.start(directory.resolve("kafka"))) {
            broker.makeShortTopic(TOPIC, 2);
            List<String> command = new ArrayList<>(Programs.java());
            command.addAll(List.of(
                    "-cp",
                    JAR.toString(),
                    "io.millrace.bench.BenchMain",
                    "soak",
                    "--minutes",
                    Double.toString(minutes),
                    "--rate",
                    Integer.toString(rate),
                    "--gso",
                    "16",
                    "--reload-every",
                    isLong ? "60" : "4",
                    "--refuse-every",
                    isLong ? "180" : "9",
                    "--journal",
                    isLong ? "2048" : "64",
                    "--kafka",
                    broker.address(),
                    "--topic",
                    TOPIC,
                    "--work",
                    directory.toString(),
                    "--out",
                    out.toString()));
            long acknowledged;
            try (Forked soak = Forked.start(command)) {
                int code = soak.awaitExit(Duration.ofMinutes((long) minutes + 5));
                soak.out().forEach(line -> System.err.println("SoakIT: " + line));
                assertThat(code)
                        .as("%s%n%s", String.join("\n", soak.out()), String.join("\n", soak.err()))
                        .isZero();
                assertThat(String.join("\n", soak.out()))
                        .contains("output queue: acknowledged", "the archive has", "the flaky server has")
                        .doesNotContain("FAILED", "failed:");
                Matcher queue = ACKNOWLEDGED.matcher(String.join("\n", soak.out()));
                assertThat(queue.find()).isTrue();
                acknowledged = Long.parseLong(queue.group(1).replace(",", ""));
                // Where a small receive buffer is all that is granted, some are dropped, and counted.
                assertThat(acknowledged).isGreaterThan((long) (rate * minutes * 30));
            }
            assertThat(broker.endOffsets(TOPIC)).isGreaterThanOrEqualTo(acknowledged);
        }
        assertThat(out).isDirectoryContaining("glob:**/{report.md,report.html}").isDirectoryContaining("glob:**.csv");
    }
}
