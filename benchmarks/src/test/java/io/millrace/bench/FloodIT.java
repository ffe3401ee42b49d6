package io.millrace.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.FreePort;
import io.millrace.bench.check.RunCheck;
import io.millrace.collector.Counter;
import io.millrace.collector.DropReason;
import io.millrace.journal.Journal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One source floods, a hundred others send little, and each may send so much: what the others lose, the kernel's drops included.
 * {@code -Dmillrace.it.flood=500000} sets the rate of the flood, {@code -Dmillrace.it.flood.seconds=10} for how long,
 * {@code -Dmillrace.it.flood.warmup=20} for how many seconds service and
 * senders have run before, 1 or more.
 */
@Tag("once")
@Tag("full")
class FloodIT {
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final int QUIET_SOURCES = 100;
    private static final int QUIET_RATE = 2000;
    private static final int QUIET_WARM_UP_RATE = 20;
    private static final int WARM_UP_RATE = 50_000;
    private static final long QUIET_RUN = 0x9;
    private static final double MAX_LOST = 0.001;

    @TempDir
    private Path directory;

    /** How many receivers, their steering, and the input of the others; two of four where it is only asked whether it works. */
    private static Stream<Arguments> services() {
        Stream<Arguments> both = Stream.of(arguments(2, "spread", "shared"), arguments(1, "hash", "own"));
        return Integer.getInteger("millrace.it.flood") == null
                ? both
                : Stream.concat(both, Stream.of(arguments(1, "hash", "shared"), arguments(2, "hash", "shared")));
    }

    @ParameterizedTest
    @MethodSource("services")
    void limitedFloodDoesNotAffectOtherSources(int receivers, String steering, String input) throws Exception {
        int rate = Integer.getInteger("millrace.it.flood", 100_000);
        int seconds = Integer.getInteger("millrace.it.flood.seconds", 2);
        // The service is not meant to be one that was started a moment ago: its JVM compiles meanwhile, and so do the
        // senders'.
        int warmUp = Integer.getInteger(
                "millrace.it.flood.warmup", Integer.getInteger("millrace.it.flood") == null ? 3 : 20);
        int floodPort = FreePort.next();
        int quietPort = input.equals("own") ? FreePort.next() : floodPort;
        List<String> lines = new ArrayList<>(List.of(
                "policy: {perSource: {datagrams: 1000}}",
                "receive: {receivers: " + receivers + ", steering: " + steering + "}",
                "inputs:",
                "  shared: {listen: '127.0.0.1:" + floodPort + "'}"));
        if (quietPort != floodPort) {
            lines.add("  own: {listen: '127.0.0.1:" + quietPort + "'}");
        }
        Path config = Files.writeString(directory.resolve("millrace.yaml"), String.join("\n", lines) + "\n");
        Path data = directory.resolve("data");
        JsonNode flood;
        JsonNode quiet;
        try (Service service = Service.startWith(data, "--config", config.toString())) {
            service.needsItsReceiveBuffer();
            // It begins a second before what is sent beside it, and ends three after.
            String floods = WARM_UP_RATE + ":" + warmUp + "s," + rate + ":" + (seconds + 4) + "s";
            String sends = QUIET_WARM_UP_RATE + ":" + (warmUp + 1) + "s," + QUIET_RATE + ":" + seconds + "s";
            try (Forked flooding = Forked.send(List.of(), options(floodPort, floods, "8", "--gso", "16"));
                    Forked sending = Forked.send(
                            List.of(),
                            options(
                                    quietPort,
                                    sends,
                                    "9",
                                    "--sources",
                                    Integer.toString(QUIET_SOURCES),
                                    "--source-net",
                                    "127.1.0.0/16"))) {
                quiet = result(sending);
                assertThat(flooding.isAlive())
                        .as("the flood lasted longer than what was sent beside it")
                        .isTrue();
                flood = result(flooding);
            }
            service.stop();
        }
        RunCheck check = RunCheck.of(Journal.open(data), QUIET_RUN);
        long sent = quiet.get("sent").asLong();
        long lost = sent - check.distinct();
        long besideTheFlood = (long) QUIET_RATE * seconds;
        System.err.printf(
                "FloodIT: %d receivers, %s, input %s: flood %,.0f/s; the others sent %,d beside it, and lost %,d (%.3f %%), the warm-up's included;"
                        + " refused %,d, dropped by the kernel %,d%n",
                receivers,
                steering,
                input,
                (flood.get("sent").asLong() - (double) WARM_UP_RATE * warmUp) / (seconds + 4),
                besideTheFlood,
                lost,
                100.0 * lost / besideTheFlood,
                Service.counter(data, DropReason.RATE_LIMITED.counter()),
                Service.counter(data, DropReason.SOCKET_BUFFER.counter()));
        assertThat(check.sources()).hasSize(QUIET_SOURCES);
        assertThat(lost).isLessThanOrEqualTo((long) (besideTheFlood * MAX_LOST));
        assertThat(Service.counter(data, Counter.RECEIVED_DATAGRAMS)
                        + Service.counter(data, DropReason.SOCKET_BUFFER.counter()))
                .isEqualTo(sent + flood.get("sent").asLong());
    }

    private static String[] options(int port, String schedule, String run, String... more) {
        List<String> options =
                new ArrayList<>(List.of("--to", "127.0.0.1:" + port, "--rate", schedule, "--run", run, "--json"));
        options.addAll(List.of(more));
        return options.toArray(String[]::new);
    }

    private static JsonNode result(Forked sender) throws Exception {
        sender.awaitExit(PATIENCE);
        return new ObjectMapper().readTree(String.join("", sender.out()));
    }
}
