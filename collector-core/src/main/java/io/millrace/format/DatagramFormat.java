package io.millrace.format;

import io.millrace.record.DatagramView;

/** Writes a datagram of the journal as one line. */
public interface DatagramFormat {
    /**
     * Appends the line, with its line feed.
     *
     * @param shard the datagram's shard
     * @param sequence its sequence number there
     */
    void write(DatagramView datagram, int shard, long sequence, LineBuffer out);
}
