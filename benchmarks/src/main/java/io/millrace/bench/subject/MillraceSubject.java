package io.millrace.bench.subject;

import io.millrace.journal.read.Journal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Millrace itself: the service, as its script starts it, journal and all. */
record MillraceSubject(String name, String transport, int receivers) implements Subject {
    /** Peers do not look at what they have written either. */
    private static final String CONFIG = "sources: {watch: off}\n";

    private static final Pattern PORT = Pattern.compile("ready: udp \\S*:(\\d+)[ ,]");
    private static final String NATIVE = "native";
    private static final Duration READY = Duration.ofSeconds(30);

    @Override
    public String description() {
        return "Millrace, transport " + transport + ": every datagram journaled with source and receive time";
    }

    @Override
    public Optional<String> unavailable() {
        return transport.equals(NATIVE) && !Programs.hasNativeLibrary()
                ? Optional.of("collector-native was built without a C compiler")
                : Optional.empty();
    }

    @Override
    public String configuration(Launch launch) throws IOException {
        return String.join(" ", command(launch)) + System.lineSeparator() + CONFIG;
    }

    private List<String> command(Launch launch) throws IOException {
        List<String> command = new ArrayList<>(Programs.java());
        command.addAll(List.of(
                "-jar",
                Programs.built("collector-app/target/millrace.jar").toString(),
                "run",
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
        return Programs.pinned(launch.processors(), command);
    }

    private static Path config(Launch launch) {
        return launch.directory().resolve("millrace.yaml");
    }

    private static Path data(Launch launch) {
        return launch.directory().resolve("data");
    }

    @Override
    public RunningSubject start(Launch launch) throws IOException, InterruptedException {
        Files.createDirectories(launch.directory());
        Files.writeString(config(launch), CONFIG);
        ChildProcess process = ChildProcess.start(name(), command(launch));
        try {
            Matcher ready = PORT.matcher(process.awaitErr(line -> line.contains("ready:"), READY));
            if (!ready.find()) {
                throw new IOException(name() + " does not say its port: " + process.said());
            }
            return new RunningSubject(
                    process, Integer.parseInt(ready.group(1)), check -> check.add(Journal.open(data(launch))));
        } catch (IOException | InterruptedException e) {
            process.close();
            throw e;
        }
    }
}
