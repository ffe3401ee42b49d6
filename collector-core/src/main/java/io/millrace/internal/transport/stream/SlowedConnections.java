package io.millrace.internal.transport.stream;

import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The connections that are above their rate limit. One timer for all of them tries them again. The loop's thread. */
final class SlowedConnections {
    private static final long PAUSE_NS = 50_000_000;

    private final Consumer<List<StreamConnection>> again;
    private final Set<StreamConnection> slowed = new LinkedHashSet<>();
    private @Nullable EventLoop loop;
    private boolean scheduled;

    /**
     * Creates an empty set.
     *
     * @param again receives the connections when they are to be tried again
     */
    SlowedConnections(Consumer<List<StreamConnection>> again) {
        this.again = again;
    }

    void start(EventLoop onLoop) {
        loop = onLoop;
    }

    void add(StreamConnection connection) {
        slowed.add(connection);
        if (!scheduled && loop != null) {
            scheduled = true;
            var unused = loop.schedule(this::tryAgain, PAUSE_NS, TimeUnit.NANOSECONDS);
        }
    }

    private void tryAgain() {
        scheduled = false;
        if (!slowed.isEmpty()) {
            again.accept(removeAll());
        }
    }

    boolean remove(StreamConnection connection) {
        return slowed.remove(connection);
    }

    /** All of them; not a copy. */
    Set<StreamConnection> all() {
        return slowed;
    }

    /** Removes all of them, in their order. */
    List<StreamConnection> removeAll() {
        List<StreamConnection> all = new ArrayList<>(slowed);
        slowed.clear();
        return all;
    }

    boolean isEmpty() {
        return slowed.isEmpty();
    }
}
