package io.millrace.bench.soak;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.bench.host.ChildProcess;
import io.millrace.bench.subject.MillraceService;
import io.millrace.internal.linux.ProcFile;
import io.millrace.internal.linux.ProcText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** The service under test, in a process of its own. */
final class SoakService implements AutoCloseable {
    private static final Duration STOP_TIMEOUT = Duration.ofMinutes(2);

    private final MillraceService service;
    private final ChildProcess process;

    private SoakService(MillraceService service) {
        this.service = service;
        this.process = service.process();
    }

    static SoakService start(SoakPlan plan) throws IOException, InterruptedException {
        return new SoakService(MillraceService.start(
                "the service",
                MillraceService.command(
                        "--config",
                        plan.configFile().toString(),
                        "--data",
                        plan.data().toString(),
                        "--admin",
                        "127.0.0.1:0")));
    }

    /** Its ready line. */
    String ready() {
        return service.ready();
    }

    String target() throws IOException {
        return "127.0.0.1:" + service.port();
    }

    JsonNode ledger() throws IOException {
        return service.get("/api/ledger");
    }

    /** Reloads its configuration. */
    void reload() throws IOException {
        service.reload();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** A value of {@code /proc/PID/status}; memory is in KiB. */
    long status(String name) throws IOException {
        Long value = ProcText.number(ProcText.field(ProcFile.text(proc("status")), name));
        if (value == null) {
            throw new IOException("/proc/PID/status has no " + name);
        }
        return value;
    }

    long openFiles() throws IOException {
        try (Stream<Path> files = Files.list(proc("fd"))) {
            return files.count();
        }
    }

    private Path proc(String file) {
        return Path.of("/proc", Long.toString(process.pid()), file);
    }

    /** Sends SIGTERM, waits for the end and returns the exit code. */
    int stop() throws IOException, InterruptedException {
        return process.terminate(STOP_TIMEOUT);
    }

    /** Its log, after it has ended. */
    List<String> log() throws InterruptedException {
        return process.err();
    }

    @Override
    public void close() {
        process.close();
    }
}
