package io.millrace.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.collector.Counter;
import io.millrace.collector.DropReason;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code millrace journal verify}, {@code repair} and {@code export}, as a user runs them: what they say, and exit codes. */
@Tag("calm")
@Timeout(180)
@Tag("once")
class JournalIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int SENT = 60_000;

    @TempDir
    private Path temporary;

    private Path data;

    /** What a command did. */
    private record Result(int exitCode, List<String> out, List<String> err) {
        JsonNode json() throws IOException {
            return new ObjectMapper().readTree(String.join("\n", out));
        }
    }

    @Test
    @Tag("full")
    void findsAndRepairsDamage() throws Exception {
        data = temporary.resolve("data");
        receive(SENT, true);
        long first = received(SENT);
        assertThat(journal("verify").exitCode()).isZero();

        damage();
        Result damaged = journal("verify", "--json");
        assertThat(damaged.exitCode()).isEqualTo(1);
        assertThat(damaged.json().get("clean").asBoolean()).isFalse();
        long missing = damaged.json().get("missing").asLong();
        assertThat(missing)
                .isPositive()
                .isEqualTo(first - damaged.json().get("datagrams").asLong());
        JsonNode gap = damaged.json().get("gaps").get(0);
        assertThat(gap.get("count").asLong()).isEqualTo(missing);

        Path rescued = temporary.resolve("rescued");
        assertThat(journal("export", rescued.toString()).exitCode()).isEqualTo(1);

        Result repaired = journal("repair");
        assertThat(repaired.exitCode()).as(repaired.toString()).isZero();
        assertThat(repaired.out()).anyMatch(line -> line.contains(String.format("%,d datagrams lost", missing)));
        assertThat(journal("repair").out()).singleElement().asString().startsWith("nothing to repair");
        assertThat(journal("verify").exitCode()).isZero();
        Result read = millrace("read", "--data", data.toString());
        assertThat(read.out()).hasSize((int) (first - missing));
        assertThat(read.err())
                .containsExactly("millrace: shard 0: datagrams " + gap.get("firstSequence") + " to "
                        + (gap.get("firstSequence").asLong() + missing - 1) + " are not in the journal");
        assertThat(millrace("read", "--data", rescued.toString()).out()).isEqualTo(read.out());

        receive(1000, false);
        long all = received(SENT + 1000);
        assertThat(journal("verify").exitCode()).isZero();
        assertThat(millrace("read", "--data", data.toString()).out()).hasSize((int) (all - missing));
        assertThat(Service.counter(data, Counter.JOURNALED_DATAGRAMS)).isEqualTo(all);
        assertThat(Service.counter(data, DropReason.CRASH.counter())).isZero();
    }

    @Test
    void reportsBadUsage() throws Exception {
        data = temporary.resolve("none");
        assertThat(journal("verify").exitCode()).isEqualTo(1);
        assertThat(journal("repair").exitCode()).isEqualTo(1);
        assertThat(journal("repair", "--force").exitCode()).isEqualTo(2);
        assertThat(journal("export").exitCode()).isEqualTo(2);
        assertThat(Files.exists(data)).isFalse();
    }

    /** Has the service receive; meanwhile what only reads works, and what writes does not. */
    private void receive(int count, boolean andLook) throws Exception {
        try (Service service = Service.start(List.of(), data, "--receivers", "1")) {
            try (Forked sender =
                    Forked.load("--to", service.target(), "--rate", "20k", "--count", Integer.toString(count))) {
                if (andLook) {
                    Result verified = journal("verify");
                    assertThat(verified.exitCode())
                            .as("while it is written: " + verified)
                            .isZero();
                    Path copy = temporary.resolve("live");
                    assertThat(journal("export", copy.toString()).exitCode()).isZero();
                    assertThat(millrace("journal", "verify", "--data", copy.toString())
                                    .exitCode())
                            .isZero();
                    Result repair = journal("repair");
                    assertThat(repair.exitCode()).isEqualTo(1);
                    assertThat(repair.err()).singleElement().asString().contains("is in use by another Millrace");
                }
                assertThat(sender.awaitExit(LIMIT)).isZero();
            }
            service.stop();
        }
    }

    /** How many of those that were sent were received: where a small receive buffer is all that is granted, some are dropped. */
    private long received(int sent) throws IOException {
        long received = Service.counter(data, Counter.RECEIVED_DATAGRAMS);
        assertThat(received)
                .isGreaterThan(sent / 2)
                .isEqualTo(sent - Service.counter(data, DropReason.SOCKET_BUFFER.counter()));
        return received;
    }

    /** Zeros a page in the middle of the batches. */
    private void damage() throws IOException {
        Path file;
        try (Stream<Path> files = Files.list(data.resolve("journal/shard-0"))) {
            file = files.filter(it -> it.toString().endsWith(".cq4"))
                    .findFirst()
                    .orElseThrow();
        }
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            open.seek(2 << 20);
            open.write(new byte[4096]);
        }
    }

    private Result journal(String command, String... options) throws InterruptedException {
        Stream<String> args =
                Stream.concat(Stream.of("journal", command, "--data", data.toString()), Stream.of(options));
        return millrace(args.toArray(String[]::new));
    }

    private static Result millrace(String... args) throws InterruptedException {
        try (Forked process = Forked.millrace(List.of(), args)) {
            int exitCode = process.awaitExit(LIMIT);
            return new Result(exitCode, process.out(), process.err());
        }
    }
}
