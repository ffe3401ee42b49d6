package io.millrace.transport;

/**
 * The result of one read of a socket. A reader always returns the same object, so that a read allocates nothing. It is valid
 * until the next read of that reader. One thread.
 */
public final class ReadResult {
    private int datagrams;
    private boolean more;

    /**
     * Sets the result of a read.
     *
     * @param newDatagrams datagrams taken from the socket by this read, including those that are staged now
     * @param mayHaveMore false if the socket was found empty
     * @return this
     */
    public ReadResult set(int newDatagrams, boolean mayHaveMore) {
        datagrams = newDatagrams;
        more = mayHaveMore;
        return this;
    }

    /** Datagrams taken from the socket by this read, including those that are staged now. */
    public int datagrams() {
        return datagrams;
    }

    /** False if the socket was found empty; true if there may be more. */
    public boolean more() {
        return more;
    }
}
