package io.millrace.bench.trial;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.bench.host.ChildProcess;
import io.millrace.bench.host.Programs;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The result of a run of the sender.
 *
 * @param sent sent datagrams
 * @param failed datagrams that could not be sent
 * @param refused datagrams that met a closed port
 * @param achievedRate datagrams per second
 * @param maxLateMicros the maximum delay in µs
 * @param asked the requested rate
 */
public record SenderRun(long sent, long failed, long refused, double achievedRate, long maxLateMicros, long asked) {
    private static final Duration GRACE = Duration.ofSeconds(30);

    /** Runs the sender in a process of its own. */
    public static SenderRun run(Load load, List<String> targets, long runId, List<Integer> cpus)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(Programs.java());
        command.addAll(List.of(
                "-jar", Programs.built("sender-tool/target/millrace-send.jar").toString()));
        targets.forEach(target -> command.addAll(List.of("--to", target)));
        command.addAll(List.of("--run", String.format(Locale.ROOT, "%08x", runId), "--json", "--tolerate", "100"));
        command.addAll(load.options());
        try (ChildProcess process = ChildProcess.start("the sender", Programs.pinned(cpus, command))) {
            int code = process.awaitExit(GRACE.plusMillis((long) (load.seconds() * 2000)));
            if (process.out().isEmpty()) {
                throw new IOException("the sender ended with exit code " + code + ": " + process.lastLines());
            }
            JsonNode json = new ObjectMapper().readTree(process.out().get(0));
            return new SenderRun(
                    json.path("sent").asLong(),
                    json.path("failed").asLong(),
                    json.path("refused").asLong(),
                    json.path("achievedRate").asDouble(),
                    json.path("maxLateMicros").asLong(),
                    load.rate());
        }
    }

    /**
     * True if it missed its rate, or could not send all datagrams.
     *
     * @param toleratedPercent how far it may miss the rate
     */
    public boolean missed(double toleratedPercent) {
        return failed > 0 || achievedRate < asked * (1 - toleratedPercent / 100);
    }
}
