package io.millrace.bench.subject;

import io.millrace.bench.host.ChildProcess;
import io.millrace.bench.host.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * syslog-ng with inputs of UDP and one file. Its configurations are in {@code src/main/resources/peers}.
 *
 * @param file its configuration
 */
record SyslogNg(String name, String file, String description) implements Subject {
    private static final int HALVES = 2;
    private static final Pattern DROPPED = Pattern.compile("dst\\..*;dropped;(\\d+)");

    @Override
    public Optional<String> unavailable() {
        return PeerProgram.missing("syslog-ng");
    }

    @Override
    public String configuration(LaunchSettings launch) {
        String program = PeerProgram.program("syslog-ng");
        return Programs.version(program, "--version") + "\n" + text(launch, version(program), 514);
    }

    private static String version(String program) {
        Matcher number = Pattern.compile("\\d+\\.\\d+").matcher(Programs.version(program, "--version"));
        return number.find() ? number.group() : "current";
    }

    private String text(LaunchSettings launch, String version, int port) {
        return new PeerConfiguration(file, launch, port)
                .with("VERSION", version)
                .with("HALF_RECEIVE_BUFFER", launch.receiveBufferBytes() / HALVES)
                .text();
    }

    @Override
    public boolean storesMessages() {
        return true;
    }

    @Override
    public RunningSubject start(LaunchSettings launch) throws IOException, InterruptedException {
        int port = PeerProgram.freePort(false);
        Path directory = launch.directory();
        String program = PeerProgram.program("syslog-ng");
        Path configuration =
                Files.writeString(directory.resolve("syslog-ng.conf"), text(launch, version(program), port));
        String control = directory.resolve("ctl").toString();
        List<String> command = List.of(
                program,
                "-F",
                "--no-caps",
                "-f",
                configuration.toString(),
                "-R",
                directory.resolve("persist").toString(),
                "-p",
                directory.resolve("pid").toString(),
                "-c",
                control);
        ChildProcess process = PeerProgram.start(name(), Programs.pinned(launch.cpus(), command), port, false);
        return new RunningSubject(process, port, new PeerProgram.Lines(launch.lines(), () -> lost(control)));
    }

    /** What its destinations dropped, as {@code syslog-ng-ctl} says; empty if that is not installed. */
    private static OptionalLong lost(String control) throws InterruptedException {
        List<String> command = List.of(PeerProgram.program("syslog-ng-ctl"), "stats", "-c", control);
        Optional<List<String>> lines = Programs.output(command);
        return lines.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(lines.get().stream()
                        .map(DROPPED::matcher)
                        .filter(Matcher::find)
                        .mapToLong(found -> Long.parseLong(found.group(1)))
                        .sum());
    }
}
