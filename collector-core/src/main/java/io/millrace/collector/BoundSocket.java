package io.millrace.collector;

import io.millrace.internal.handoff.BoundAddress;
import io.millrace.internal.linux.LibC;
import io.millrace.internal.text.IpText;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * A UDP socket that was already bound, by systemd or by another process of Millrace. Transports {@code native} and {@code
 * epoll} only. Any thread.
 *
 * @param descriptor its file descriptor in this process
 * @param kept true if another process keeps it open when this one ends, as systemd does. The stop then leaves its queued
 *     datagrams for the next process
 */
public record BoundSocket(int descriptor, boolean kept) {
    /**
     * Returns the address it is bound to.
     *
     * @throws IOException if the descriptor is not a bound UDP socket; the message says what it is
     */
    public InetSocketAddress address() throws IOException {
        return BoundAddress.of(descriptor);
    }

    /**
     * Duplicates it in this process. The caller must close the duplicate, or the collector that adopts it.
     *
     * @throws IOException if it cannot be duplicated
     */
    public BoundSocket duplicate() throws IOException {
        return new BoundSocket(LibC.duplicate(descriptor), kept);
    }

    /** Returns the descriptor and its address, for messages. */
    public static String text(BoundSocket bound) {
        try {
            return "descriptor " + bound.descriptor() + " (udp " + IpText.of(bound.address()) + ")";
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** Closes sockets that were passed to this process and are not used. */
    public static void close(List<BoundSocket> passed) {
        passed.forEach(socket -> LibC.closeAnyway(socket.descriptor));
    }
}
