package io.millrace.format;

import io.millrace.record.DatagramView;

/** The payload as it came, then a line feed unless it ends in one. */
public final class RawFormat implements DatagramFormat {
    /** Makes the format. */
    public RawFormat() {}

    @Override
    public void write(DatagramView datagram, int shard, long sequence, LineBuffer out) {
        int length = datagram.payloadLength();
        int offset = out.reserve(length);
        datagram.copyPayload(out.array(), offset);
        if (length == 0 || out.array()[offset + length - 1] != '\n') {
            out.put('\n');
        }
    }
}
