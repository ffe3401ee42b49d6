package io.millrace.journal.read;

import io.millrace.record.DatagramView;

/** Takes the datagrams a cursor hands out. */
@FunctionalInterface
public interface DatagramHandler {
    /**
     * One datagram. If this throws, the cursor's {@code poll} throws the same, and the next poll goes on after it.
     *
     * @param datagram a view, valid only during the call
     * @param position where it is, valid only during the call
     */
    void onDatagram(DatagramView datagram, CursorPosition position);
}
