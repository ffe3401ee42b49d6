package io.millrace.bench.jmh;

import io.millrace.transport.StagedDatagram;

/** A staged IPv4 datagram, with a frame of 149 bytes without padding. */
final class SampleDatagram {
    /** Payload and frame header. */
    static final int RECORD_BYTES = 149;

    static final int PAYLOAD_BYTES = 133;

    private static final byte[] ADDRESS = {127, 0, 0, 1};
    private static final int PORT = 40_000;

    private SampleDatagram() {}

    static StagedDatagram stage() {
        StagedDatagram datagram = new StagedDatagram(PAYLOAD_BYTES);
        for (int i = 0; i < PAYLOAD_BYTES; i++) {
            datagram.payload().put(i, (byte) ('a' + i % 26));
        }
        datagram.received(PAYLOAD_BYTES);
        datagram.source(ADDRESS, 0, PORT);
        datagram.receiveTimeNs(1_000_000_000L);
        return datagram;
    }
}
