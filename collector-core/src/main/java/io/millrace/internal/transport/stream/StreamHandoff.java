package io.millrace.internal.transport.stream;

import io.millrace.collector.Successor.PassedStream;
import io.millrace.internal.counters.ShardCells;
import io.millrace.internal.transport.framing.RemainderPool;
import io.netty.channel.unix.UnixChannel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Passes the listeners and connections of an event loop to another process. The loop's thread. */
public final class StreamHandoff {
    private final StreamConnections connections;
    private final List<StreamListener> listeners;
    private final OpenConnections open;
    private final RemainderPool pool;
    private final ShardCells shard;
    private boolean began;

    StreamHandoff(
            StreamConnections connections,
            List<StreamListener> listeners,
            OpenConnections open,
            RemainderPool pool,
            ShardCells shard) {
        this.connections = connections;
        this.listeners = listeners;
        this.open = open;
        this.pool = pool;
        this.shard = shard;
    }

    /**
     * Duplicates for another process of the listeners and of some connections, which are closed here. To be called until there are
     * none. What was read of a connection and is not journaled goes with it.
     *
     * @param max how many at a time
     * @throws IOException if there are no descriptors left; what is not passed on stays open
     */
    public List<PassedStream> passOn(int max) throws IOException {
        List<PassedStream> passed = new ArrayList<>();
        try {
            if (!began) {
                began = true;
                for (StreamListener listener : listeners) {
                    passed.add(listener.passOn());
                }
                connections.stopAccepting();
            }
            // The stop that follows reads and closes those that cannot be passed on.
            for (int i = open.size() - 1; i >= 0 && passed.size() < max; i--) {
                StreamConnection connection = open.get(i);
                if (connection.isPassable()
                        && ((UnixChannel) connection.channel).fd().isOpen()) {
                    passed.add(connection.passOn(pool));
                    connections.passedOn(connection);
                } else if (connection.isPassable()) {
                    connections.end(connection);
                }
            }
            return passed;
        } catch (IOException e) {
            if (passed.isEmpty()) {
                throw e;
            }
            return passed;
        }
    }

    /** Counts connections that another process did not get, and which are closed: their bytes are lost. */
    public void lost(List<PassedStream> streams) {
        listeners.forEach(listener -> listener.lost(streams, shard));
    }
}
