package io.millrace.sender.pcap;

import java.io.IOException;

/** Thrown if a file is not a capture or is damaged. The message contains the file and the offset. */
public final class PcapException extends IOException {
    private static final long serialVersionUID = 1;

    PcapException(String message) {
        super(message);
    }
}
