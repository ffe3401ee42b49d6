package io.millrace.internal.transport.stream;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** The open connections of an event loop, in no order: one is added and removed in constant time. The loop's thread. */
final class OpenConnections {
    private final List<StreamConnection> open = new ArrayList<>();

    void add(StreamConnection connection) {
        connection.index = open.size();
        open.add(connection);
    }

    void remove(StreamConnection connection) {
        StreamConnection last = open.remove(open.size() - 1);
        if (connection.index < open.size()) {
            open.set(connection.index, last);
            last.index = connection.index;
        }
        connection.index = -1;
    }

    int size() {
        return open.size();
    }

    /** One of them; going from the last to the first, the one that is looked at may be removed. */
    StreamConnection get(int place) {
        return open.get(place);
    }

    boolean noneMatch(Predicate<StreamConnection> condition) {
        return open.stream().noneMatch(condition);
    }
}
