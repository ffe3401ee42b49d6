package io.millrace.journal;

/** A handler of the datagrams that a cursor reads. */
@FunctionalInterface
public interface DatagramHandler {
    /**
     * Handles one datagram. If this method throws, {@code poll} throws the same exception, and the next poll continues
     * with the next datagram.
     *
     * @param datagram a view, valid only during the call
     * @param position the position of the datagram, valid only during the call
     */
    void onDatagram(DatagramView datagram, CursorPosition position);

    /** Asked after each datagram: false ends the poll, and the next one continues with the datagram after it. */
    default boolean wantsMore() {
        return true;
    }
}
