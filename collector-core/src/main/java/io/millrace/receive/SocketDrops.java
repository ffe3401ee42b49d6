package io.millrace.receive;

import io.millrace.counters.Counter;
import io.millrace.counters.ShardCounters;
import java.util.List;

/**
 * Books what the kernel dropped at the sockets of a shard. The kernel counts in 32 bits: differences are taken modulo
 * 2^32, and polling once a second never misses a turn. One thread; {@link #known()} any.
 */
final class SocketDrops {
    private final List<Receiver.Listening> sockets;
    private final ShardCounters counters;
    private final long[] last;
    private Counter book = Counter.SOCKET_DROPS;
    private volatile boolean known = true;

    SocketDrops(List<Receiver.Listening> sockets, ShardCounters counters) {
        this.sockets = sockets;
        this.counters = counters;
        this.last = new long[sockets.size()];
        for (Receiver.Listening listening : sockets) {
            if (listening.socket().drops() == ReceiveSocket.UNAVAILABLE) {
                known = false;
            }
        }
    }

    /** Reads the drops of each socket and books what is new. */
    void poll() {
        boolean all = true;
        for (int i = 0; i < last.length; i++) {
            long now = sockets.get(i).socket().drops();
            if (now == ReceiveSocket.UNAVAILABLE) {
                all = false;
            } else {
                counters.add(book, (now - last[i]) & 0xffff_ffffL);
                last[i] = now;
            }
        }
        known = all;
    }

    /** From now on drops are refusals of the stop. */
    void bookAfterStop() {
        book = Counter.AFTER_STOP_DROPS;
    }

    /** False if the drops of a socket could not be read the last time. */
    boolean known() {
        return known;
    }
}
