package io.millrace.bench.subject;

import io.millrace.bench.check.LineFile;
import io.millrace.bench.check.RunCheck;
import io.millrace.bench.host.ChildProcess;
import io.millrace.bench.host.Programs;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** VictoriaLogs, a database of logs that receives syslog itself. */
record VictoriaLogs() implements Subject {
    private static final String PROGRAM = "victoria-logs";

    @Override
    public String name() {
        return "victorialogs";
    }

    @Override
    public String description() {
        return "VictoriaLogs: its syslog listener for UDP, into its database";
    }

    @Override
    public Optional<String> unavailable() {
        return Programs.find(PROGRAM).isPresent()
                ? Optional.empty()
                : Optional.of(PROGRAM + " is not installed; Go builds it:"
                        + " go install github.com/VictoriaMetrics/VictoriaLogs/app/victoria-logs@v1.52.2");
    }

    @Override
    public String configuration(LaunchSettings launch) {
        String program = PeerProgram.program(PROGRAM);
        return Programs.version(program, "-version") + "\n" + String.join(" ", command(PROGRAM, launch, 514, 9428));
    }

    private static List<String> command(String program, LaunchSettings launch, int port, int http) {
        return new ArrayList<>(List.of(
                program,
                "-storageDataPath=" + launch.directory().resolve("data"),
                "-httpListenAddr=127.0.0.1:" + http,
                // For the query that reads all messages at the end.
                "-search.maxQueryDuration=30m",
                "-syslog.listenAddr.udp=127.0.0.1:" + port));
    }

    @Override
    public boolean storesMessages() {
        return true;
    }

    @Override
    public RunningSubject start(LaunchSettings launch) throws IOException, InterruptedException {
        int port = PeerProgram.freePort(false);
        int http = PeerProgram.freePort(true);
        String program = PeerProgram.program(PROGRAM);
        ChildProcess process = PeerProgram.start(
                name(), Programs.pinned(launch.cpus(), command(program, launch, port, http)), port, false);
        return new RunningSubject(process, port, new Database("http://127.0.0.1:" + http, launch.lines()));
    }

    /** Its database. */
    private record Database(String url, Path lines) implements RunningSubject.Output {
        private static final Pattern LOST =
                Pattern.compile("(?m)^vl_(?:rows_dropped_total(?:\\{[^}]*\\})?|udp_errors_total(?:\\{[^}]*\\})?"
                        + "|too_long_lines_skipped_total|errors_total\\{type=\"syslog\"[^}]*\\}) (\\d+)");
        private static final Pattern COUNT = Pattern.compile("\"n\":\"(\\d+)\"");

        @Override
        public OptionalLong lost() throws IOException, InterruptedException {
            return OptionalLong.of(PeerMetrics.sum(url + "/metrics", LOST));
        }

        @Override
        public long readable() throws IOException, InterruptedException {
            Matcher count = COUNT.matcher(query("_time:1m alone | stats count() n", BodyHandlers.ofString()));
            return count.find() ? Long.parseLong(count.group(1)) : 0;
        }

        @Override
        public void export() throws IOException, InterruptedException {
            var unused = get("/internal/force_flush", BodyHandlers.ofString());
            var unusedToo = query("* | fields _msg", BodyHandlers.ofFile(lines));
        }

        @Override
        public void read(RunCheck check) throws IOException {
            messages(check::add);
        }

        @Override
        public void messages(LineFile.Handler handler) throws IOException {
            LineFile.read(lines, handler);
        }

        private <T> T query(String query, BodyHandler<T> handler) throws IOException, InterruptedException {
            return get("/select/logsql/query?query=" + URLEncoder.encode(query, StandardCharsets.UTF_8), handler);
        }

        private <T> T get(String path, BodyHandler<T> handler) throws IOException, InterruptedException {
            return PeerMetrics.get(url + path, handler);
        }
    }
}
