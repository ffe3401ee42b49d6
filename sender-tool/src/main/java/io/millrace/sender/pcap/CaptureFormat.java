package io.millrace.sender.pcap;

import java.io.IOException;

interface CaptureFormat {
    /** The maximum length of a packet, which is that of {@code tcpdump}. */
    int MAX_CAPTURED = 262_144;

    /**
     * Reads the next packet of any kind.
     *
     * @return false at the end of the file
     * @throws PcapException when the file is damaged
     */
    boolean next(Packet packet) throws IOException;
}
