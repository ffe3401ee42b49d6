package io.millrace.sender.transmit;

import io.millrace.sender.schedule.SendPlan;
import java.io.BufferedReader;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One process of {@code millrace-sources}: frames go to its standard input, its report comes at the end. */
final class SourcesProgram {
    static final String NAME = "millrace-sources";

    private static final int SOCKETS = 16;
    private static final int HEADER_BYTES = 14;
    private static final int BUFFER_BYTES = 256 * 1024;
    private static final long EXIT_TIMEOUT_SECONDS = 10;

    private static final Pattern REPORT = Pattern.compile(
            "sent=(\\d+) bytes=(\\d+) late=(\\d+) maxlate=(\\d+) failed=(\\d+) refused=(\\d+) ENOBUFS=(\\d+) EAGAIN=(\\d+) other=(\\d+) text=(.*)");

    private final OutputStream out;
    private final @Nullable Process process;
    private final @Nullable BufferedReader report;
    private final ByteBuffer frames = ByteBuffer.allocate(BUFFER_BYTES).order(ByteOrder.nativeOrder());
    private long accepted;
    private long dueNanoTime;

    private SourcesProgram(OutputStream out, @Nullable Process process, @Nullable BufferedReader report) {
        this.out = out;
        this.process = process;
        this.report = report;
    }

    /**
     * Starts a process and waits until its sockets are open.
     *
     * @param count how many processes share the sources
     */
    static SourcesProgram start(Path program, Endpoints endpoints, int count) throws IOException {
        SourceNetwork network = endpoints.network() == null ? SourceNetwork.LOOPBACK : endpoints.network();
        List<String> command = new ArrayList<>(List.of(
                program.toString(),
                Integer.toUnsignedString(network.base()),
                Integer.toString(network.addresses()),
                Integer.toString(SOCKETS),
                Integer.toString(count)));
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
            throw new IOException(program + " did not start; see its message above");
        }
        return new SourcesProgram(process.getOutputStream(), process, report);
    }

    /** Writes the frames to /dev/null. */
    static SourcesProgram toDevNull() throws IOException {
        return new SourcesProgram(new FileOutputStream("/dev/null"), null, null);
    }

    void due(long nanoTime) {
        dueNanoTime = nanoTime;
    }

    void send(int source, ByteBuffer datagram) throws IOException {
        int length = datagram.remaining();
        if (length > SendPlan.MAX_PAYLOAD_BYTES) {
            throw new IOException("Message too long");
        }
        if (frames.remaining() < HEADER_BYTES + length) {
            flush();
        }
        accepted++;
        frames.putLong(dueNanoTime).putInt(source).putShort((short) length).put(datagram);
    }

    /** The number of datagrams given to {@link #send}. */
    long accepted() {
        return accepted;
    }

    @SuppressWarnings("ByteBufferBackingArray") // made by allocate()
    void flush() throws IOException {
        if (frames.position() == 0) {
            return;
        }
        try {
            out.write(frames.array(), 0, frames.position());
            out.flush();
        } catch (IOException e) {
            throw new FatalSendException(NAME + " has ended: " + e.getMessage(), e);
        } finally {
            frames.clear();
        }
    }

    /** Ends the input and returns the counts of the report. Without a report the outcome is unknown. */
    SendCounts drain() throws IOException {
        SendCounts counts = new SendCounts();
        if (report == null) {
            frames.clear();
            return counts;
        }
        flush();
        out.close();
        String line = report.readLine();
        Matcher matcher = REPORT.matcher(line == null ? "" : line);
        if (!matcher.matches()) {
            throw new FatalSendException(NAME + " has ended without its report", new IOException("end of file"));
        }
        counts.sent = Long.parseLong(matcher.group(1));
        counts.bytes = Long.parseLong(matcher.group(2));
        counts.late = Long.parseLong(matcher.group(3));
        counts.maxLateNanos = Long.parseLong(matcher.group(4));
        counts.failed = Long.parseLong(matcher.group(5));
        counts.countRefused(Long.parseLong(matcher.group(6)));
        counts.countErrors("ENOBUFS", Long.parseLong(matcher.group(7)), "No buffer space available");
        counts.countErrors("EAGAIN", Long.parseLong(matcher.group(8)), "Resource temporarily unavailable");
        String text = matcher.group(10);
        counts.countErrors(Errno.of(new IOException(text)), Long.parseLong(matcher.group(9)), text);
        return counts;
    }

    void close() {
        try {
            out.close();
        } catch (IOException e) {
            // The process has already ended, which was reported before.
        }
        if (process == null) {
            return;
        }
        try {
            if (!process.waitFor(EXIT_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
