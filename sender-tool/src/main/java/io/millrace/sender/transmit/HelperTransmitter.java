package io.millrace.sender.transmit;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Transmitter that gives datagrams to the program {@code millrace-sources}, which sends for a million sources with a few
 * sockets. Several processes share the sources, so that several CPUs send.
 *
 * <p>Datagrams due within half a millisecond go together: one write to the pipe and one context switch serve many of them.
 * The outcome is known when the processes have ended: {@link #drain} replaces the counts by their reports.
 */
public final class HelperTransmitter implements Transmitter {
    static final int MAX_TARGETS = 64;

    static final int PROGRAMS = 2;

    /** Neighbouring sources go to the same process, which sends for them in one system call. */
    private static final int NEIGHBOURS = 64;

    private static final long BATCH_DELAY_NANOS = 500_000;

    private final List<SourcesProgram> programs = new ArrayList<>();

    private HelperTransmitter() {}

    /** The program next to this jar, or null if it was not built. */
    public static @Nullable Path program() {
        CodeSource code = HelperTransmitter.class.getProtectionDomain().getCodeSource();
        try {
            Path parent =
                    code == null ? null : Path.of(code.getLocation().toURI()).getParent();
            Path program = parent == null ? null : parent.resolve("bin").resolve(SourcesProgram.NAME);
            return program != null && Files.isExecutable(program) ? program : null;
        } catch (URISyntaxException e) {
            return null;
        }
    }

    /** Starts all processes, or none, and waits until their sockets are open. */
    static HelperTransmitter start(Path program, Endpoints endpoints, int count) throws IOException {
        HelperTransmitter all = new HelperTransmitter();
        try {
            for (int i = 0; i < count; i++) {
                all.programs.add(SourcesProgram.start(program, endpoints, count));
            }
            return all;
        } catch (IOException e) {
            all.close();
            throw e;
        }
    }

    static HelperTransmitter toDevNull() throws IOException {
        HelperTransmitter all = new HelperTransmitter();
        for (int i = 0; i < PROGRAMS; i++) {
            all.programs.add(SourcesProgram.toDevNull());
        }
        return all;
    }

    @Override
    public void send(int source, ByteBuffer datagram) throws IOException {
        programs.get(source / NEIGHBOURS % programs.size()).send(source, datagram);
    }

    /** The process counts late datagrams, as only it knows when they leave. */
    @Override
    public void due(long nanoTime) {
        for (SourcesProgram program : programs) {
            program.due(nanoTime);
        }
    }

    /** Between batches the CPU is free for the processes: a sender that waits for each datagram would spin all the time. */
    @Override
    public long batchDelayNanos() {
        return BATCH_DELAY_NANOS;
    }

    @Override
    public void flush() throws IOException {
        for (SourcesProgram program : programs) {
            program.flush();
        }
    }

    @Override
    public void drain(SendCounts counts) throws IOException {
        counts.sent = 0;
        counts.bytes = 0;
        counts.late = 0;
        counts.maxLateNanos = 0;
        IOException failure = null;
        for (SourcesProgram program : programs) {
            try {
                counts.add(program.drain());
            } catch (IOException e) {
                counts.failed += program.accepted();
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public void collectErrors(int thread, int threads, SendCounts counts) {
        // The reports contain all errors.
    }

    @Override
    public void close() throws IOException {
        for (SourcesProgram program : programs) {
            program.close();
        }
    }
}
