package io.millrace.bench.subject;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.bench.check.LineFile;
import io.millrace.bench.check.RunCheck;
import io.millrace.bench.host.ChildProcess;
import io.millrace.bench.host.Programs;
import io.millrace.journal.Journal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The Millrace service with default settings.
 *
 * @param variant what differs from the defaults
 */
record MillraceSubject(String name, String transport, int receivers, Variant variant) implements Subject {
    /** In a configuration, the file of an output. */
    private static final String LINES = "@lines";

    private static final int OUTPUT_COUNT = 8;
    private static final int FILE_COUNT = 10_000;
    private static final Duration STOP = Duration.ofSeconds(60);

    /** What a service does in addition to journaling. */
    enum Variant {
        /** Default settings: source tracking and the admin page are on. */
        DEFAULT("every datagram journaled with source and receive time", "", ""),
        /** Nothing but the journal, as the other receivers have nothing but their file. */
        JOURNAL_ONLY("as millrace-native, without source tracking and admin page", "sources: {watch: off}\n", ""),
        /** With no setting but a file to deliver to. */
        DEFAULTS(
                "nothing is set but an output, raw lines to one file",
                "outputs: {file: {type: file, path: @lines, format: raw}}\n",
                ""),
        /** Delivers to a file, as rsyslog and syslog-ng do. */
        FILE(
                "every datagram journaled, and delivered as a raw line to one file",
                "outputs: {file: {type: file, path: @lines, format: raw}}\n",
                ""),
        /** Parses, and delivers all fields. */
        JSON(
                "every datagram journaled, and delivered as a line of JSON to one file",
                "outputs: {file: {type: file, path: @lines, format: json}}\n",
                ""),
        /** Delivers sooner. */
        LINGER(
                "as millrace-file, and messages wait at most 1 ms for others of a batch",
                "outputs: {file: {type: file, path: @lines, format: raw, batch: {linger: 1ms}}}\n",
                ""),
        /** Reads sooner, too. */
        NO_WAIT("as millrace-linger-1ms, and datagrams do not wait in the receive buffer", """
                receive: {latency: 0ms}
                outputs: {file: {type: file, path: @lines, format: raw, batch: {linger: 1ms}}}
                """, ""),
        /** Delivers to several files, each with all messages. */
        OUTPUTS("as millrace-file, with " + OUTPUT_COUNT + " outputs", outputs(), ""),
        /** Has a long history. */
        FILES(
                "as millrace-file, after 10,000 files of the journal",
                "outputs: {file: {type: file, path: @lines, format: raw, from: end}}\n",
                ""),
        /** Messages of TCP connections. */
        TCP("every message of TCP connections journaled with source and receive time", "", "tcp://"),
        /** The same with TLS. */
        TLS("every message of TLS connections journaled with source and receive time", "", "tls://");

        private final String description;
        private final String config;
        /** Before the address to listen on; empty for datagrams. */
        private final String scheme;

        Variant(String description, String config, String scheme) {
            this.description = description;
            this.config = config;
            this.scheme = scheme;
        }

        private static String outputs() {
            StringBuilder text = new StringBuilder("outputs:\n  file: {type: file, path: @lines, format: raw}\n");
            for (int i = 2; i <= OUTPUT_COUNT; i++) {
                text.append("  file")
                        .append(i)
                        .append(": {type: file, path: @lines.")
                        .append(i)
                        .append(", format: raw}\n");
            }
            return text.toString();
        }

        private boolean writesFile() {
            return config.contains(LINES);
        }
    }

    @Override
    public String description() {
        return "Millrace, transport " + transport + ": " + variant.description;
    }

    @Override
    public Optional<String> unavailable() {
        if (takesTls()) {
            return TestCertificate.unavailable();
        }
        return transport.equals("native") && !Programs.hasNativeLibrary()
                ? Optional.of("collector-native was built without a C compiler")
                : Optional.empty();
    }

    @Override
    public boolean runsOnJvm() {
        return true;
    }

    @Override
    public boolean takesConnections() {
        return !variant.scheme.isEmpty();
    }

    @Override
    public boolean takesTls() {
        return variant == Variant.TLS;
    }

    @Override
    public boolean takesOctetCounting() {
        return variant == Variant.TCP;
    }

    @Override
    public String configuration(LaunchSettings launch) throws IOException {
        return String.join(" ", command(launch)) + System.lineSeparator() + text(launch);
    }

    private List<String> command(LaunchSettings launch) throws IOException {
        List<String> options = new ArrayList<>(List.of(
                "--config",
                config(launch).toString(),
                "--listen",
                variant.scheme + "127.0.0.1:0",
                "--admin",
                variant == Variant.JOURNAL_ONLY ? "off" : "127.0.0.1:0",
                "--data",
                data(launch).toString()));
        if (variant != Variant.DEFAULTS) {
            options.addAll(List.of(
                    "--transport",
                    transport,
                    "--receive-buffer",
                    Integer.toString(launch.receiveBufferBytes() / receivers),
                    "--receivers",
                    Integer.toString(receivers)));
        }
        if (takesTls()) {
            TestCertificate certificate = TestCertificate.in(launch.directory());
            options.addAll(List.of(
                    "--tls-certificate",
                    certificate.file().toString(),
                    "--tls-key",
                    certificate.key().toString()));
        }
        return Programs.pinned(launch.cpus(), MillraceService.command(options.toArray(String[]::new)));
    }

    private String text(LaunchSettings launch) {
        return variant.config.replace(LINES, launch.lines().toString());
    }

    private static Path config(LaunchSettings launch) {
        return launch.directory().resolve("millrace.yaml");
    }

    private static Path data(LaunchSettings launch) {
        return launch.directory().resolve("data");
    }

    @Override
    public boolean storesMessages() {
        return variant.writesFile();
    }

    @Override
    public RunningSubject start(LaunchSettings launch) throws IOException, InterruptedException {
        Files.createDirectories(launch.directory());
        if (takesTls()) {
            TestCertificate.in(launch.directory()).create();
        }
        if (variant == Variant.FILES) {
            addFiles(launch);
        }
        Files.writeString(config(launch), text(launch));
        MillraceService service = MillraceService.start(name(), command(launch));
        try {
            return new RunningSubject(service.process(), service.port(), new Stored(this, launch, service));
        } catch (IOException e) {
            service.process().close();
            throw e;
        }
    }

    /** Its file, or its journal. */
    private record Stored(MillraceSubject subject, LaunchSettings launch, MillraceService service)
            implements RunningSubject.Output {
        @Override
        public void read(RunCheck check) throws IOException {
            if (subject.variant.writesFile()) {
                messages(check::add);
                compareOthers(launch.lines());
            } else {
                check.add(Journal.open(data(launch)));
            }
        }

        @Override
        public void messages(LineFile.Handler handler) throws IOException {
            LineFile.read(launch.lines(), handler);
        }

        /** All losses of the ledger. */
        @Override
        public OptionalLong lost() throws IOException {
            JsonNode ledger = service.get("/api/ledger");
            long lost = ledger.path("expiredUnread").asLong();
            for (JsonNode reason : ledger.path("dropped")) {
                lost += reason.asLong();
            }
            return OptionalLong.of(lost);
        }

        @Override
        public long readable() throws IOException {
            return Files.size(launch.lines());
        }
    }

    /** A first start, without an output, creates the data directory with the names of its inputs. */
    private void addFiles(LaunchSettings launch) throws IOException, InterruptedException {
        Files.writeString(config(launch), "");
        try (ChildProcess first = MillraceService.start(name(), command(launch)).process()) {
            var unused = first.terminate(STOP);
        }
        ManyFiles.add(data(launch), FILE_COUNT);
    }

    /** Every other output has written the same. */
    private static void compareOthers(Path lines) throws IOException {
        for (int i = 2; i <= OUTPUT_COUNT; i++) {
            Path other = Path.of(lines + "." + i);
            if (Files.exists(other) && Files.mismatch(lines, other) >= 0) {
                throw new IOException(other + " differs from " + lines);
            }
        }
    }
}
