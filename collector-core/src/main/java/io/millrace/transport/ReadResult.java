package io.millrace.transport;

/**
 * What one read of a socket brought. A reader returns the same object each time, so that a read allocates nothing: it is valid until the
 * next read of that reader. One thread.
 */
public final class ReadResult {
    private int datagrams;
    private boolean more;

    /**
     * Sets the result of a read.
     *
     * @param newDatagrams datagrams taken from the socket by this read, those included that are staged now
     * @param mayHaveMore false if the socket was found empty
     * @return this
     */
    public ReadResult set(int newDatagrams, boolean mayHaveMore) {
        datagrams = newDatagrams;
        more = mayHaveMore;
        return this;
    }

    /** Datagrams taken from the socket by this read, those included that are staged now. */
    public int datagrams() {
        return datagrams;
    }

    /** False if the socket was found empty; true if there may be more. */
    public boolean more() {
        return more;
    }
}
