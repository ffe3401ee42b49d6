package io.millrace.bench.subject;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.bench.host.ChildProcess;
import io.millrace.bench.host.Programs;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** rsyslog with one input and one file. Its configurations are in {@code src/main/resources/peers}. */
record Rsyslog(String name, Kind kind) implements Subject {
    /** What it receives and writes. */
    enum Kind {
        UDP("rsyslog.conf", "imudp in batches of 128, a queue in memory, raw messages to one file"),
        /** Counts what its queue and its file lose. */
        UDP_STATS(
                "rsyslog.conf", "imudp in batches of 128, a queue in memory, raw messages to one file, with impstats"),
        UDP_JSON("rsyslog-json.conf", "imudp in batches of 128, a queue in memory, lines of JSON to one file"),
        UDP_DEFAULTS("rsyslog-defaults.conf", "as Debian configures it, with its input for UDP"),
        TCP("rsyslog-imptcp.conf", "imptcp, a queue in memory, raw messages to one file"),
        TLS("rsyslog-tls.conf", "imtcp with OpenSSL, a queue in memory, raw messages to one file");

        private final String file;
        private final String description;

        Kind(String file, String description) {
            this.file = file;
            this.description = description;
        }
    }

    private static final Path LIBRARIES = Path.of("/usr/lib");
    private static final List<String> LOST = List.of("discarded.full", "discarded.nf", "failed");

    @Override
    public String description() {
        return "rsyslog: " + kind.description;
    }

    @Override
    public boolean takesConnections() {
        return kind == Kind.TCP || kind == Kind.TLS;
    }

    @Override
    public boolean takesOctetCounting() {
        return kind == Kind.TCP;
    }

    @Override
    public boolean takesTls() {
        return kind == Kind.TLS;
    }

    @Override
    public Optional<String> unavailable() throws IOException {
        Optional<String> missing = PeerProgram.missing("rsyslogd");
        if (kind != Kind.TLS || missing.isPresent()) {
            return missing;
        }
        return hasOpenSsl() ? TestCertificate.unavailable() : Optional.of("rsyslog-openssl is not installed");
    }

    /** The module is in the folder of the processor, such as x86_64-linux-gnu. */
    private static boolean hasOpenSsl() throws IOException {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(LIBRARIES)) {
            for (Path folder : folders) {
                if (Files.exists(folder.resolve("rsyslog/lmnsd_ossl.so"))) {
                    return true;
                }
            }
        }
        return false;
    }

    @Override
    public String configuration(LaunchSettings launch) {
        return Programs.version("rsyslogd", "-v") + "\n" + text(launch, 514);
    }

    private String text(LaunchSettings launch, int port) {
        TestCertificate certificate = TestCertificate.in(launch.directory());
        String text = new PeerConfiguration(kind.file, launch, port)
                .with("CERTIFICATE", certificate.file())
                .with("KEY", certificate.key())
                .text();
        return kind == Kind.UDP_STATS ? new PeerConfiguration("rsyslog-stats.conf", launch, port).text() + text : text;
    }

    @Override
    public boolean storesMessages() {
        return true;
    }

    @Override
    public RunningSubject start(LaunchSettings launch) throws IOException, InterruptedException {
        int port = PeerProgram.freePort(takesConnections());
        Path directory = launch.directory();
        if (takesTls()) {
            TestCertificate.in(directory).create();
        }
        Path file = Files.writeString(directory.resolve("rsyslog.conf"), text(launch, port));
        List<String> command = List.of(
                PeerProgram.program("rsyslogd"),
                "-n",
                "-f",
                file.toString(),
                "-i",
                directory.resolve("pid").toString());
        ChildProcess process =
                PeerProgram.start(name(), Programs.pinned(launch.cpus(), command), port, takesConnections());
        Path stats = directory.resolve("stats");
        return new RunningSubject(
                process,
                port,
                kind == Kind.UDP_STATS
                        ? new PeerProgram.Lines(launch.lines(), () -> lost(stats))
                        : new PeerProgram.Lines(launch.lines()));
    }

    /** Adds the last values of each object that rsyslog counts. */
    private static OptionalLong lost(Path stats) throws IOException {
        if (!Files.exists(stats)) {
            return OptionalLong.empty();
        }
        Map<String, Long> last = new HashMap<>();
        for (String line : Files.readAllLines(stats)) {
            int begin = line.indexOf('{');
            if (begin >= 0) {
                JsonNode counts = new ObjectMapper().readTree(line.substring(begin));
                last.put(
                        counts.path("name").asText(),
                        LOST.stream()
                                .mapToLong(name -> counts.path(name).asLong())
                                .sum());
            }
        }
        return OptionalLong.of(last.values().stream().mapToLong(Long::longValue).sum());
    }
}
