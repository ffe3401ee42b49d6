package io.millrace.bench.subject;

import io.millrace.bench.check.LineFile;
import io.millrace.bench.host.ChildProcess;
import io.millrace.bench.host.Programs;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** rsyslog with one input and one file. Unless it has default settings, it is tuned for load, with a queue in memory. */
record Rsyslog(String name, Input input) implements Subject {
    /** The module that receives. */
    enum Input {
        UDP("imudp in batches of 128, a queue in memory"),
        UDP_JSON("imudp in batches of 128, a queue in memory", "lines of JSON"),
        /** Messages wait for nothing. */
        UDP_DEFAULTS("imudp, default settings"),
        TCP("imptcp, a queue in memory"),
        TLS("imtcp with OpenSSL, a queue in memory");

        private final String description;
        private final String lines;

        Input(String description) {
            this(description, "raw messages");
        }

        Input(String description, String lines) {
            this.description = description;
            this.lines = lines;
        }
    }

    private static final String RAW = "template(name=\"lines\" type=\"string\" string=\"%rawmsg%\\n\")";

    /** The fields that Millrace's JSON has. */
    private static final String JSON = """
            template(name="lines" type="list" option.jsonf="on") {
              property(outname="timestamp" name="timereported" dateFormat="rfc3339" format="jsonf")
              property(outname="receive_time" name="timegenerated" dateFormat="rfc3339" format="jsonf")
              property(outname="facility" name="syslogfacility-text" format="jsonf")
              property(outname="severity" name="syslogseverity-text" format="jsonf")
              property(outname="hostname" name="hostname" format="jsonf")
              property(outname="appname" name="programname" format="jsonf")
              property(outname="procid" name="procid" format="jsonf")
              property(outname="message" name="msg" format="jsonf")
              property(outname="source_ip" name="fromhost-ip" format="jsonf")
              property(outname="input" name="inputname" format="jsonf")
            }""";

    private static final Path LIBRARIES = Path.of("/usr/lib");

    @Override
    public String description() {
        return "rsyslog: " + input.description + ", " + input.lines + " to one file";
    }

    @Override
    public boolean takesConnections() {
        return input == Input.TCP || input == Input.TLS;
    }

    @Override
    public boolean takesOctetCounting() {
        return input == Input.TCP;
    }

    @Override
    public boolean takesTls() {
        return input == Input.TLS;
    }

    @Override
    public Optional<String> unavailable() throws IOException {
        Optional<String> missing = PeerProgram.missing("rsyslogd");
        if (input != Input.TLS || missing.isPresent()) {
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
        String module = switch (input) {
            case UDP, UDP_JSON -> "module(load=\"imudp\" threads=\"1\" batchSize=\"128\")";
            case UDP_DEFAULTS -> "module(load=\"imudp\")";
            case TCP -> "module(load=\"imptcp\")";
            case TLS -> String.format(Locale.ROOT, """
                            global(defaultNetstreamDriver="ossl" defaultNetstreamDriverCAFile="%1$s"
                                   defaultNetstreamDriverCertFile="%1$s" defaultNetstreamDriverKeyFile="%2$s")
                            module(load="imtcp" streamDriver.name="ossl" streamDriver.mode="1" streamDriver.authMode="anon")\
                            """, certificate.file(), certificate.key());
        };
        String type = switch (input) {
            case UDP, UDP_JSON, UDP_DEFAULTS -> "imudp\" rcvbufSize=\"" + launch.receiveBufferBytes();
            case TCP -> "imptcp";
            case TLS -> "imtcp";
        };
        boolean tuned = input != Input.UDP_DEFAULTS;
        String queue = "queue.type=\"FixedArray\" queue.size=\"4000000\" queue.dequeueBatchSize=\"4096\""
                + " queue.workerThreads=\"1\"";
        String buffer = "ioBufferSize=\"256k\" asyncWriting=\"off\" flushOnTXEnd=\"off\"";
        return String.format(
                Locale.ROOT,
                """
                global(workDirectory="%1$s" maxMessageSize="64k")
                %2$s
                %7$s
                ruleset(name="r" %5$s) {
                  action(type="omfile" file="%1$s/lines" template="lines" %6$s)
                }
                input(type="%3$s" address="127.0.0.1" port="%4$d" ruleset="r")
                """,
                launch.directory(),
                module,
                type,
                port,
                tuned ? queue : "",
                tuned ? buffer : "",
                input == Input.UDP_JSON ? JSON : RAW);
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
        return new RunningSubject(process, port, check -> LineFile.read(directory.resolve("lines"), check));
    }
}
