package io.millrace.app.handoff;

import io.millrace.handoff.BoundSocket;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sockets that systemd has bound and passes on to the service: {@code sd_listen_fds(3)}. */
public final class ListenFds {
    private static final Logger LOG = LoggerFactory.getLogger(ListenFds.class);
    private static final String COUNT = "LISTEN_FDS";
    private static final String PID = "LISTEN_PID";
    /** The first that is not standard input, output or error. */
    private static final int FIRST = 3;

    private static final int MAX_SOCKETS = 1024;

    private ListenFds() {}

    /**
     * The sockets this process was passed.
     *
     * @param environment of the process
     * @param pid its id; what is meant for another is not ours
     * @throws IllegalArgumentException if the environment says nonsense
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
                    COUNT + " takes a number up to " + MAX_SOCKETS + ", not '" + count + "'");
        }
        return IntStream.range(FIRST, FIRST + Integer.parseInt(count))
                .mapToObj(descriptor -> new BoundSocket(descriptor, true))
                .toList();
    }
}
