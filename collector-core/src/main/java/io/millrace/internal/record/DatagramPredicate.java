package io.millrace.internal.record;

import io.millrace.journal.DatagramView;

/** Selects datagrams of a batch. */
@FunctionalInterface
public interface DatagramPredicate {
    /**
     * Returns true to keep a datagram.
     *
     * @param datagram a view that is valid until this method returns
     */
    boolean keeps(DatagramView datagram);
}
