package io.millrace.bench.host;

import io.millrace.internal.linux.ProcFile;
import io.millrace.internal.linux.UdpSocketLine;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The state of all UDP sockets of a port according to the kernel, summed.
 *
 * @param sockets the number of sockets
 * @param queuedBytes the content of their receive buffers including the kernel's overhead
 * @param drops datagrams dropped because the buffer was full, unsigned 32 bits per socket
 */
public record SocketState(int sockets, long queuedBytes, long drops) {
    private static final Pattern RECEIVE_BUFFER = Pattern.compile("skmem:\\(r\\d+,rb(\\d+),");

    /** Reads {@code /proc/net/udp} and {@code udp6}. */
    public static SocketState of(int port) throws IOException {
        int sockets = 0;
        long queued = 0;
        long drops = 0;
        for (String table : UdpSocketLine.FILES) {
            for (UdpSocketLine socket : UdpSocketLine.parse(text(table)).toList()) {
                if (socket.port() == port) {
                    sockets++;
                    queued += socket.queuedBytes();
                    drops += socket.drops();
                }
            }
        }
        return new SocketState(sockets, queued, drops);
    }

    private static String text(String table) throws IOException {
        try {
            return ProcFile.text(Path.of(table));
        } catch (FileNotFoundException e) {
            return ""; // A kernel without IPv6.
        }
    }

    /**
     * The total receive buffer that the kernel granted to the sockets of a port, in its units (twice the requested
     * size). Only {@code ss} shows it; empty without {@code ss}.
     */
    public static OptionalLong grantedBytes(int port) throws InterruptedException {
        long sum = 0;
        List<String> lines = Programs.output(List.of("ss", "-H", "-uanm", "sport", "=", ":" + port))
                .orElse(List.of());
        for (String line : lines) {
            Matcher matcher = RECEIVE_BUFFER.matcher(line);
            if (matcher.find()) {
                sum += Long.parseLong(matcher.group(1));
            }
        }
        return sum == 0 ? OptionalLong.empty() : OptionalLong.of(sum);
    }
}
