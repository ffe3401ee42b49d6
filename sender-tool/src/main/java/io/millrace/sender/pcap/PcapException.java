package io.millrace.sender.pcap;

import java.io.IOException;

/** A file is not a capture, or a damaged one. The message names the file and the offset. */
public final class PcapException extends IOException {
    private static final long serialVersionUID = 1;

    PcapException(String message) {
        super(message);
    }
}
