package io.millrace.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.bench.check.RunCheck;
import io.millrace.collector.DropReason;
import io.millrace.journal.Journal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A load that an idle machine receives without any loss. */
@Timeout(180)
@Tag("full")
class MillionIT {
    @TempDir
    private Path data;

    @Test
    void journalsAMillionDatagramsOnce() throws Exception {
        try (Service service = Service.start(List.of(), data)) {
            service.needsItsReceiveBuffer();
            try (Forked sender = Forked.send(
                    List.of(),
                    "--to",
                    service.target(),
                    "--rate",
                    "100k",
                    "--count",
                    "1000000",
                    "--size",
                    "125",
                    "--run",
                    "a",
                    "--json")) {
                sender.awaitExit(Duration.ofSeconds(60));
                JsonNode result = new ObjectMapper().readTree(String.join("", sender.out()));
                assertThat(result.get("sent").asLong()).isEqualTo(1_000_000);
                System.err.printf(
                        "a million datagrams, sent at %,.0f/s%n",
                        result.get("achievedRate").asDouble());
            }
            service.stop();
        }
        assertThat(Service.counter(data, DropReason.SOCKET_BUFFER.counter())).isZero();
        RunCheck check = RunCheck.of(Journal.open(data), 0xa);
        assertThat(check.distinct()).isEqualTo(1_000_000);
        assertThat(check.duplicated()).isZero();
        JsonNode stat = new ObjectMapper().readTree(journal("stat", "--json"));
        assertThat(stat.get("datagrams").asLong()).isEqualTo(1_000_000);
        assertThat(stat.get("payloadBytes").asLong()).isEqualTo(125_000_000);
        assertThat(journal("verify")).startsWith("clean: 1,000,000 datagrams");
    }

    private String journal(String command, String... options) throws InterruptedException {
        List<String> args = new ArrayList<>(List.of("journal", command, "--data", data.toString()));
        args.addAll(List.of(options));
        try (Forked process = Forked.millrace(List.of(), args.toArray(String[]::new))) {
            assertThat(process.awaitExit(Service.START))
                    .describedAs("%s", process.err())
                    .isZero();
            return String.join("\n", process.out());
        }
    }
}
