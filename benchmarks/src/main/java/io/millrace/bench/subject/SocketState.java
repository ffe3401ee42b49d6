package io.millrace.bench.subject;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the kernel says of the UDP sockets of a port, whoever owns them, summed over them.
 *
 * @param sockets how many there are
 * @param queuedBytes what waits in their receive buffers, the kernel's own overhead included
 * @param drops datagrams that found the buffer full, unsigned 32 bits a socket
 */
public record SocketState(int sockets, long queuedBytes, long drops) {
    private static final int LOCAL_ADDRESS = 1;
    private static final int QUEUES = 4;
    private static final int DROPS = 12;
    private static final Pattern RECEIVE_BUFFER = Pattern.compile("skmem:\\(r\\d+,rb(\\d+),");

    /** Reads {@code /proc/net/udp} and {@code udp6}. */
    public static SocketState of(int port) throws IOException {
        int sockets = 0;
        long queued = 0;
        long drops = 0;
        String suffix = String.format(Locale.ROOT, ":%04X", port);
        for (String table : List.of("/proc/net/udp", "/proc/net/udp6")) {
            for (String line : lines(table)) {
                String[] columns = line.strip().split("\\s+", -1);
                if (columns.length <= DROPS || !columns[LOCAL_ADDRESS].endsWith(suffix)) {
                    continue;
                }
                sockets++;
                queued += Long.parseLong(columns[QUEUES].substring(columns[QUEUES].indexOf(':') + 1), 16);
                drops += Long.parseLong(columns[DROPS]);
            }
        }
        return new SocketState(sockets, queued, drops);
    }

    private static List<String> lines(String table) throws IOException {
        try {
            return Proc.text(Path.of(table)).lines().toList();
        } catch (FileNotFoundException e) {
            return List.of(); // A kernel without IPv6.
        }
    }

    /**
     * The receive buffer the kernel granted the sockets of a port, in bytes as it counts them (twice what was asked),
     * summed. It is shown by {@code ss} alone; empty without it.
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
