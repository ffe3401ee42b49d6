package io.millrace.sender.pcap;

import java.io.IOException;

/** One of the formats of capture files. */
interface CaptureFormat {
    /** The most bytes of one packet; what {@code tcpdump} writes at most. */
    int MAX_CAPTURED = 262_144;

    /**
     * Reads the next packet, whatever it is.
     *
     * @return false at the end of the file
     * @throws PcapException when the file is damaged
     */
    boolean next(Packet packet) throws IOException;
}
