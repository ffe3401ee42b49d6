package io.millrace.sender;

import java.io.BufferedReader;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/**
 * Hands datagrams to the program {@code millrace-sources}, which sends for a million sources with a handful of sockets.
 *
 * <p>What is due in half a millisecond goes together, so that a pipe's write and a switch between processes are paid once
 * for many. What became of the datagrams is known when the program has ended: {@link #drain} corrects the tally.
 */
final class HelperTransmitter implements Transmitter {
    private static final String PROGRAM = "millrace-sources";
    static final int MAX_TARGETS = 64;

    /** So many of these share the sources. */
    static final int PROGRAMS = 2;

    private static final int SOCKETS = 16;
    private static final int HEADER = 14;
    private static final int ROOM = 256 * 1024;

    private static final long HELD_NANOS = 500_000;
    private static final long PATIENCE_SECONDS = 10;

    private static final java.util.regex.Pattern REPORT = java.util.regex.Pattern.compile(
            "sent=(\\d+) bytes=(\\d+) late=(\\d+) maxlate=(\\d+) failed=(\\d+) refused=(\\d+) ENOBUFS=(\\d+) EAGAIN=(\\d+) other=(\\d+) text=(.*)");

    private final OutputStream out;
    private final @Nullable Process process;
    private final @Nullable BufferedReader report;
    private final ByteBuffer frames = ByteBuffer.allocate(ROOM).order(ByteOrder.nativeOrder());
    private long handed;
    private long dueNanoTime;

    private HelperTransmitter(OutputStream out, @Nullable Process process, @Nullable BufferedReader report) {
        this.out = out;
        this.process = process;
        this.report = report;
    }

    /** The program beside this jar, or null where it was not built. */
    static @Nullable Path program() {
        CodeSource code = HelperTransmitter.class.getProtectionDomain().getCodeSource();
        try {
            Path parent =
                    code == null ? null : Path.of(code.getLocation().toURI()).getParent();
            Path program = parent == null ? null : parent.resolve("bin").resolve(PROGRAM);
            return program != null && Files.isExecutable(program) ? program : null;
        } catch (URISyntaxException e) {
            return null;
        }
    }

    /** Starts the program and waits until its sockets are open. */
    static HelperTransmitter start(Path program, Endpoints endpoints) throws IOException {
        SourceNet net = endpoints.net() == null ? SourceNet.LOOPBACK : endpoints.net();
        List<String> command = new ArrayList<>(List.of(
                program.toString(),
                Integer.toUnsignedString(net.base()),
                Integer.toString(net.addresses()),
                Integer.toString(SOCKETS),
                Integer.toString(PROGRAMS)));
        for (InetSocketAddress target : endpoints.targets()) {
            command.add(target.getAddress().getHostAddress() + ":" + target.getPort());
        }
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader report =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        if (!"ready".equals(report.readLine())) {
            process.destroy();
            throw new IOException(program + " did not start; what it said is above");
        }
        return new HelperTransmitter(process.getOutputStream(), process, report);
    }

    /** Runs the same code, and sends nothing. */
    static HelperTransmitter idling() throws IOException {
        return new HelperTransmitter(new FileOutputStream("/dev/null"), null, null);
    }

    /** The program counts what is late, as it alone knows when a datagram leaves. */
    @Override
    public void due(long nanoTime) {
        dueNanoTime = nanoTime;
    }

    @Override
    public void send(int source, ByteBuffer datagram) throws IOException {
        int length = datagram.remaining();
        if (length > SendPlan.MAX_SIZE) {
            throw new IOException("Message too long");
        }
        if (frames.remaining() < HEADER + length) {
            flush();
        }
        handed++;
        frames.putLong(dueNanoTime).putInt(source).putShort((short) length).put(datagram);
    }

    /**
     * Batches cost the pipe less, and between them the CPU is free for the program: a sender that waited for each
     * datagram would spin all the time.
     */
    @Override
    public long grainNanos() {
        return HELD_NANOS;
    }

    @Override
    public void idle() throws IOException {
        if (frames.position() > 0) {
            flush();
        }
    }

    @SuppressWarnings("ByteBufferBackingArray") // made by allocate()
    private void flush() throws IOException {
        try {
            out.write(frames.array(), 0, frames.position());
            out.flush();
        } catch (IOException e) {
            throw new FatalSendException(PROGRAM + " has ended: " + e.getMessage(), e);
        } finally {
            frames.clear();
        }
    }

    @Override
    public void drain(Tally tally) throws IOException {
        if (process == null || report == null) {
            frames.clear();
            return;
        }
        String line = null;
        try {
            flush();
            out.close();
            line = report.readLine();
        } finally {
            Matcher matcher = REPORT.matcher(line == null ? "" : line);
            if (matcher.matches()) {
                take(matcher, tally);
            } else {
                // Nobody can say what became of them.
                tally.failed += handed;
                tally.sent = 0;
                tally.bytes = 0;
            }
        }
        if (line == null) {
            throw new FatalSendException(PROGRAM + " has ended without its report", new IOException("end of file"));
        }
    }

    private static void take(Matcher matcher, Tally tally) {
        tally.sent = Long.parseLong(matcher.group(1));
        tally.bytes = Long.parseLong(matcher.group(2));
        tally.late = Long.parseLong(matcher.group(3));
        tally.maxLateNanos = Long.parseLong(matcher.group(4));
        tally.failed += Long.parseLong(matcher.group(5));
        tally.countRefused(Long.parseLong(matcher.group(6)));
        count(tally, "ENOBUFS", matcher.group(7), "No buffer space available");
        count(tally, "EAGAIN", matcher.group(8), "Resource temporarily unavailable");
        String text = matcher.group(10);
        count(tally, ErrorName.of(new IOException(text)), matcher.group(9), text);
    }

    private static void count(Tally tally, String name, String times, String text) {
        if (!times.equals("0")) {
            tally.countErrors(name, Long.parseLong(times), text);
        }
    }

    @Override
    public void finish(int thread, int threads, Tally tally) {
        // The report was all.
    }

    @Override
    public void close() throws IOException {
        try {
            out.close();
        } catch (IOException e) {
            // The program has ended before: it was told when that was noticed.
        }
        if (process == null) {
            return;
        }
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
