package io.millrace.internal.transport.stream;

import io.millrace.collector.Endpoint;
import io.millrace.collector.StreamInput;
import io.millrace.collector.Successor.PassedStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What another process has passed on, until the inputs that listen there have taken it. One thread. */
final class PassedStreams {
    private static final Logger LOG = LoggerFactory.getLogger(PassedStreams.class);

    private final List<PassedStream> left;

    PassedStreams(List<PassedStream> passed) {
        this.left = new ArrayList<>(passed);
    }

    /** Closes what belongs to none of these inputs, because it could be in the way of one with a similar address. */
    void closeOthers(List<StreamInput> inputs) {
        Set<String> endpoints = new HashSet<>();
        inputs.forEach(input -> endpoints.add(input.endpoint().toString()));
        List<PassedStream> others = new ArrayList<>();
        left.removeIf(stream -> !endpoints.contains(stream.endpoint()) && others.add(stream));
        PassedStream.close(others);
        long connections = others.stream().filter(PassedStream::isConnection).count();
        if (connections > 0) {
            LOG.warn(
                    "{} connections of the previous process are closed, because no input has their address any more; {} bytes that"
                            + " it had read of incomplete messages are lost",
                    connections,
                    others.stream().mapToLong(PassedStream::pendingBytes).sum());
        }
    }

    /** Takes a listening socket; null if there is none. A Unix socket may be in another shard than before. */
    @Nullable
    PassedStream takeListener(Endpoint endpoint, int shard) {
        for (Iterator<PassedStream> each = left.iterator(); each.hasNext(); ) {
            PassedStream stream = each.next();
            if (!stream.isConnection() && isOf(stream, endpoint, shard)) {
                each.remove();
                return stream;
            }
        }
        return null;
    }

    /** Takes the connections of an endpoint in a shard. */
    List<PassedStream> takeConnections(Endpoint endpoint, int shard) {
        List<PassedStream> found = new ArrayList<>();
        left.removeIf(stream -> stream.isConnection() && isOf(stream, endpoint, shard) && found.add(stream));
        return found;
    }

    private static boolean isOf(PassedStream stream, Endpoint endpoint, int shard) {
        return stream.endpoint().equals(endpoint.toString())
                && (stream.shard() == shard || endpoint.transport().isLocal());
    }

    /** Closes the listening sockets of an endpoint that are left. */
    void closeListeners(Endpoint endpoint) {
        for (PassedStream stream : List.copyOf(left)) {
            if (!stream.isConnection() && stream.endpoint().equals(endpoint.toString())) {
                left.remove(stream);
                PassedStream.close(List.of(stream));
            }
        }
    }

    /** Closes what no input has taken. */
    void close() {
        PassedStream.close(left);
        left.clear();
    }
}
