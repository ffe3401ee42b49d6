package io.millrace.app.handoff;

import io.millrace.collector.BoundSocket;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sockets passed by systemd: {@code sd_listen_fds(3)}. */
public final class ListenFds {
    private static final Logger LOG = LoggerFactory.getLogger(ListenFds.class);
    private static final String COUNT = "LISTEN_FDS";
    private static final String PID = "LISTEN_PID";
    /** The first descriptor after standard input, output and error. */
    private static final int FIRST = 3;

    private static final int MAX_SOCKETS = 1024;

    private ListenFds() {}

    /**
     * The sockets passed to this process.
     *
     * @param environment of the process
     * @param pid its id; sockets for another process are ignored
     * @throws IllegalArgumentException if the environment is invalid
     */
    public static List<BoundSocket> of(Map<String, String> environment, long pid) {
        String count = environment.get(COUNT);
        if (count == null) {
            return List.of();
        }
        String meant = environment.getOrDefault(PID, "nobody");
        if (!meant.equals(Long.toString(pid))) {
            LOG.warn("{} is set, but {} is {} and this is process {}: no socket is taken", COUNT, PID, meant, pid);
            return List.of();
        }
        if (!count.matches("\\d{1,4}") || Integer.parseInt(count) > MAX_SOCKETS) {
            throw new IllegalArgumentException(
                    COUNT + " accepts a number up to " + MAX_SOCKETS + ", not '" + count + "'");
        }
        return IntStream.range(FIRST, FIRST + Integer.parseInt(count))
                .mapToObj(descriptor -> new BoundSocket(descriptor, true))
                .toList();
    }
}
