package io.millrace.bench.subject;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.millrace.bench.check.LineFile;
import io.millrace.bench.check.RunCheck;
import io.millrace.bench.host.ChildProcess;
import io.millrace.bench.host.Programs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** The OpenTelemetry Collector with its syslog receiver and its file exporter, which writes JSON of the protocol OTLP. */
record OpenTelemetryCollector() implements Subject {
    private static final String PROGRAM = "otelcol-contrib";
    private static final Pattern LOST =
            Pattern.compile("(?m)^otelcol_(?:receiver_(?:failed|refused)|exporter_(?:send|enqueue)_failed)"
                    + "_log_records(?:_total)?(?:\\{[^}]*\\})? (\\S+)");

    @Override
    public String name() {
        return "otelcol";
    }

    @Override
    public String description() {
        return "OpenTelemetry Collector: its syslog receiver for UDP, to one file of JSON";
    }

    @Override
    public Optional<String> unavailable() {
        return Programs.find(PROGRAM).isPresent()
                ? Optional.empty()
                : Optional.of(PROGRAM + " is not installed; Go builds it: see"
                        + " benchmarks/src/main/resources/peers/otelcol-builder.yaml");
    }

    @Override
    public String configuration(LaunchSettings launch) {
        String program = PeerProgram.program(PROGRAM);
        return Programs.version(program, "--version") + "\n" + text(launch, 514, 8888);
    }

    private static String text(LaunchSettings launch, int port, int metricsPort) {
        return new PeerConfiguration("otelcol.yaml", launch, port)
                .with("LINES", launch.lines())
                .with("METRICS_PORT", metricsPort)
                .text();
    }

    @Override
    public boolean storesMessages() {
        return true;
    }

    @Override
    public RunningSubject start(LaunchSettings launch) throws IOException, InterruptedException {
        int port = PeerProgram.freePort(false);
        int metricsPort = PeerProgram.freePort(true);
        Path configuration =
                Files.writeString(launch.directory().resolve("otelcol.yaml"), text(launch, port, metricsPort));
        String program = PeerProgram.program(PROGRAM);
        List<String> command = List.of(program, "--config", configuration.toString());
        ChildProcess process = PeerProgram.start(name(), Programs.pinned(launch.cpus(), command), port, false);
        String metrics = "http://127.0.0.1:" + metricsPort + "/metrics";
        return new RunningSubject(process, port, new Records(launch.lines(), metrics));
    }

    /** Its file, in which the body of a record is the received message. */
    private record Records(Path file, String metrics) implements RunningSubject.Output {
        @Override
        public OptionalLong lost() throws IOException, InterruptedException {
            return OptionalLong.of(PeerMetrics.sum(metrics, LOST));
        }

        @Override
        public long readable() throws IOException {
            return Files.exists(file) ? Files.size(file) : 0;
        }

        @Override
        public void read(RunCheck check) throws IOException {
            messages(check::add);
        }

        @Override
        public void messages(LineFile.Handler handler) throws IOException {
            try (JsonParser json = new JsonFactory().createParser(file.toFile())) {
                for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
                    if (token == JsonToken.FIELD_NAME && json.currentName().equals("body")) {
                        json.nextToken();
                        json.nextToken();
                        byte[] message = json.nextTextValue().getBytes(StandardCharsets.UTF_8);
                        handler.onLine(message, 0, message.length);
                    }
                }
            }
        }
    }
}
