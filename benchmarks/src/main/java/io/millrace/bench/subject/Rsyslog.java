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

/**
 * rsyslog with imudp or imptcp, a queue in memory, and raw messages to one file.
 *
 * @param tcp true for connections
 */
record Rsyslog(String name, boolean tcp) implements Subject {
    @Override
    public String description() {
        return "rsyslog: " + (tcp ? "imptcp" : "imudp in batches of 128")
                + ", a queue in memory, raw messages to one file";
    }

    @Override
    public boolean takesConnections() {
        return tcp;
    }

    @Override
    public boolean takesOctetCounting() {
        return tcp;
    }

    @Override
    public Optional<String> unavailable() {
        return PeerProgram.missing("rsyslogd");
    }

    @Override
    public String configuration(LaunchSettings launch) {
        return Programs.version("rsyslogd", "-v") + "\n" + text(launch, 514);
    }

    private String text(LaunchSettings launch, int port) {
        String module = tcp ? "module(load=\"imptcp\")" : "module(load=\"imudp\" threads=\"1\" batchSize=\"128\")";
        String input = tcp ? "type=\"imptcp\"" : "type=\"imudp\" rcvbufSize=\"" + launch.receiveBufferBytes() + '"';
        return String.format(Locale.ROOT, """
                global(workDirectory="%1$s" maxMessageSize="64k")
                %2$s
                template(name="raw" type="string" string="%%rawmsg%%\\n")
                ruleset(name="r" queue.type="FixedArray" queue.size="4000000" queue.dequeueBatchSize="4096"
                        queue.workerThreads="1") {
                  action(type="omfile" file="%1$s/lines" template="raw" ioBufferSize="256k" asyncWriting="off" flushOnTXEnd="off")
                }
                input(%3$s address="127.0.0.1" port="%4$d" ruleset="r")
                """, launch.directory(), module, input, port);
    }

    @Override
    public RunningSubject start(LaunchSettings launch) throws IOException, InterruptedException {
        int port = PeerProgram.freePort(tcp);
        Path directory = launch.directory();
        Path file = Files.writeString(directory.resolve("rsyslog.conf"), text(launch, port));
        List<String> command = List.of(
                PeerProgram.program("rsyslogd"),
                "-n",
                "-f",
                file.toString(),
                "-i",
                directory.resolve("pid").toString());
        ChildProcess process = PeerProgram.start(name(), Programs.pinned(launch.cpus(), command), port, tcp);
        return new RunningSubject(process, port, check -> LineFile.read(directory.resolve("lines"), check));
    }
}
