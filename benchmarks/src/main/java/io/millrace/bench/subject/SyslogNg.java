package io.millrace.bench.subject;

import io.millrace.bench.check.LineFile;
import io.millrace.bench.host.ChildProcess;
import io.millrace.bench.host.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** syslog-ng with two sockets on one port, without parsing, to one file. */
record SyslogNg() implements Subject {
    @Override
    public String name() {
        return "syslog-ng";
    }

    @Override
    public String description() {
        return "syslog-ng: two sockets of one port, threaded, messages not parsed, to one file";
    }

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

    private static String text(LaunchSettings launch, String version, int port) {
        String source = String.format(
                Locale.ROOT,
                "network(ip(127.0.0.1) port(%d) transport(\"udp\") so-reuseport(1) so-rcvbuf(%d) flags(no-parse)"
                        + " log-iw-size(1000000) log-fetch-limit(10000) persist-name(\"%%s\"));",
                port,
                // Two sockets share the memory that every other receiver has for one.
                launch.receiveBufferBytes() / 2);
        return String.format(
                Locale.ROOT,
                """
                @version: %1$s
                options { threaded(yes); use-dns(no); keep-hostname(yes); log-msg-size(65536); stats-freq(0); };
                source s {
                  %2$s
                  %3$s
                };
                destination d {
                  file("%4$s/lines" template("$MSG\\n") log-fifo-size(4000000) flush-lines(10000));
                };
                log { source(s); destination(d); };
                """,
                version,
                String.format(Locale.ROOT, source, "a"),
                String.format(Locale.ROOT, source, "b"),
                launch.directory());
    }

    @Override
    public RunningSubject start(LaunchSettings launch) throws IOException, InterruptedException {
        int port = PeerProgram.freePort(false);
        Path directory = launch.directory();
        String program = PeerProgram.program("syslog-ng");
        Path file = Files.writeString(directory.resolve("syslog-ng.conf"), text(launch, version(program), port));
        List<String> command = List.of(
                program,
                "-F",
                "--no-caps",
                "-f",
                file.toString(),
                "-R",
                directory.resolve("persist").toString(),
                "-p",
                directory.resolve("pid").toString(),
                "-c",
                directory.resolve("ctl").toString());
        ChildProcess process = PeerProgram.start(name(), Programs.pinned(launch.cpus(), command), port, false);
        return new RunningSubject(process, port, check -> LineFile.read(directory.resolve("lines"), check));
    }
}
