package io.millrace.bench.subject;

import io.millrace.bench.host.Programs;
import io.millrace.journal.read.Journal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The Millrace service with its journal. */
record MillraceSubject(String name, String transport, int receivers) implements Subject {
    /** Other receivers have no source tracking either. */
    private static final String CONFIG = "sources: {watch: off}\n";

    @Override
    public String description() {
        return "Millrace, transport " + transport + ": every datagram journaled with source and receive time";
    }

    @Override
    public Optional<String> unavailable() {
        return transport.equals("native") && !Programs.hasNativeLibrary()
                ? Optional.of("collector-native was built without a C compiler")
                : Optional.empty();
    }

    @Override
    public String configuration(LaunchSettings launch) throws IOException {
        return String.join(" ", command(launch)) + System.lineSeparator() + CONFIG;
    }

    private List<String> command(LaunchSettings launch) throws IOException {
        return Programs.pinned(
                launch.cpus(),
                MillraceService.command(
                        "--config",
                        config(launch).toString(),
                        "--listen",
                        "127.0.0.1:0",
                        "--admin",
                        "off",
                        "--transport",
                        transport,
                        "--data",
                        data(launch).toString(),
                        "--receive-buffer",
                        Integer.toString(launch.receiveBufferBytes() / receivers),
                        "--receivers",
                        Integer.toString(receivers)));
    }

    private static Path config(LaunchSettings launch) {
        return launch.directory().resolve("millrace.yaml");
    }

    private static Path data(LaunchSettings launch) {
        return launch.directory().resolve("data");
    }

    @Override
    public RunningSubject start(LaunchSettings launch) throws IOException, InterruptedException {
        Files.createDirectories(launch.directory());
        Files.writeString(config(launch), CONFIG);
        MillraceService service = MillraceService.start(name(), command(launch));
        try {
            return new RunningSubject(
                    service.process(), service.port(), check -> check.add(Journal.open(data(launch))));
        } catch (IOException e) {
            service.process().close();
            throw e;
        }
    }
}
