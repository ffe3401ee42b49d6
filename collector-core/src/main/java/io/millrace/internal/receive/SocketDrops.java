package io.millrace.internal.receive;

import io.millrace.collector.Counter;
import io.millrace.collector.DropReason;
import io.millrace.internal.counters.ShardCells;
import io.millrace.internal.transport.DropMarks;
import io.millrace.internal.transport.ListeningSocket;
import io.millrace.internal.transport.ReceiveSocket;
import java.util.List;

/**
 * Counts the datagrams that the kernel dropped at the sockets of a shard. The kernel counts in 32 bits. Differences are taken
 * modulo 2^32, and polling every second never misses an overflow. One thread.
 *
 * <p>Drops while the journal is blocked are counted separately: from the first poll that finds it blocked to the first poll after
 * it continues, because the buffers were full until then.
 */
final class SocketDrops {
    private final List<ListeningSocket> sockets;
    private final ShardCells counters;
    private final long[] last;
    private final boolean[] left;
    private final boolean countsDatagrams;
    private boolean blocked;
    private boolean stopping;

    /**
     * Starts to count the drops of sockets, each from its mark.
     *
     * @param countsDatagrams false if the kernel counts GRO batches instead of datagrams
     */
    SocketDrops(List<ListeningSocket> sockets, ShardCells counters, boolean countsDatagrams) {
        this.sockets = sockets;
        this.counters = counters;
        this.countsDatagrams = countsDatagrams;
        this.last = sockets.stream()
                .mapToLong(each -> each.socket().accountedDrops())
                .toArray();
        this.left = new boolean[last.length];
        tell(sockets.stream().noneMatch(each -> each.socket().drops() == ReceiveSocket.UNAVAILABLE));
    }

    /** Counts the new drops of each socket, and records how many bytes are queued. */
    void poll() {
        boolean blockedNow = counters.get(Counter.JOURNAL_BLOCKED) != 0;
        Counter account = stopping
                ? DropReason.AFTER_STOP.counter()
                : blocked || blockedNow ? DropReason.JOURNAL_FULL.counter() : DropReason.SOCKET_BUFFER.counter();
        blocked = blockedNow;
        boolean all = true;
        for (int i = 0; i < last.length; i++) {
            if (left[i]) {
                continue;
            }
            long now = sockets.get(i).socket().drops();
            if (now == ReceiveSocket.UNAVAILABLE) {
                all = false;
            } else {
                long added = (now - last[i]) & 0xffff_ffffL;
                counters.add(account, added);
                sockets.get(i).counters().dropped(added);
                last[i] = now;
            }
            long queued = sockets.get(i).socket().queuedBytes();
            // The kernel fills the buffer to twice the granted size.
            sockets.get(i).counters().queued(queued < 0 ? queued : queued / 2);
        }
        tell(all);
    }

    private void tell(boolean known) {
        counters.set(Counter.SOCKET_DROPS_UNKNOWN, known && countsDatagrams ? 0 : 1);
    }

    /** Stops counting for a socket that another process continues to read, and stores its mark. */
    void leave(int socket, DropMarks marks) {
        left[socket] = true;
        marks.add(sockets.get(socket).socket().cookie(), last[socket]);
    }

    /** Counts drops from now on as refused at the stop, if the sockets refuse. */
    void countAfterStop(boolean refused) {
        stopping = refused;
    }
}
