package io.millrace.receive;

import io.millrace.counters.Counter;
import io.millrace.counters.ShardCounters;
import io.millrace.transport.DropMarks;
import io.millrace.transport.ListeningSocket;
import io.millrace.transport.ReceiveSocket;
import java.util.List;

/**
 * Counts what the kernel dropped at the sockets of a shard. The kernel counts in 32 bits: differences are taken modulo
 * 2^32, and polling every second never misses a turn. One thread.
 *
 * <p>What is dropped while the journal takes nothing is counted apart: from the poll that finds it so until the one after
 * it goes on, because the buffers were full until then.
 */
final class SocketDrops {
    private final List<ListeningSocket> sockets;
    private final ShardCounters counters;
    private final long[] last;
    private final boolean[] left;
    private final boolean countsDatagrams;
    private boolean blocked;
    private boolean stopping;

    /**
     * Begins to watch sockets, each from where its drops are counted.
     *
     * @param countsDatagrams false if the kernel counts something else, GRO batches of them
     */
    SocketDrops(List<ListeningSocket> sockets, ShardCounters counters, boolean countsDatagrams) {
        this.sockets = sockets;
        this.counters = counters;
        this.countsDatagrams = countsDatagrams;
        this.last = sockets.stream()
                .mapToLong(each -> each.socket().accountedDrops())
                .toArray();
        this.left = new boolean[last.length];
        tell(sockets.stream().noneMatch(each -> each.socket().drops() == ReceiveSocket.UNAVAILABLE));
    }

    /** Reads the drops of each socket and counts what is new, and looks how much waits there. */
    void poll() {
        boolean blockedNow = counters.get(Counter.JOURNAL_BLOCKED) != 0;
        Counter account = stopping
                ? Counter.AFTER_STOP_DROPS
                : blocked || blockedNow ? Counter.JOURNAL_FULL_DROPS : Counter.SOCKET_DROPS;
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
            // The kernel fills the buffer to twice what it says it granted.
            sockets.get(i).counters().queued(queued < 0 ? queued : queued / 2);
        }
        tell(all);
    }

    private void tell(boolean known) {
        counters.set(Counter.SOCKET_DROPS_UNKNOWN, known && countsDatagrams ? 0 : 1);
    }

    /** Counts no more of a socket, which another process goes on with, and notes how far this one has come. */
    void leave(int socket, DropMarks marks) {
        left[socket] = true;
        marks.add(sockets.get(socket).socket().cookie(), last[socket]);
    }

    /** Counts drops from now on as refusals of the stop, if the sockets refuse. */
    void countAfterStop(boolean refused) {
        stopping = refused;
    }
}
