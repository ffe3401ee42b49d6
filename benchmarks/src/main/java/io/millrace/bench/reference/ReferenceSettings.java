package io.millrace.bench.reference;

import java.net.InetSocketAddress;
import java.nio.file.Path;

/**
 * What every reference receiver is told.
 *
 * @param listen where to listen; port 0 lets the kernel choose
 * @param out the file to write, which is made again
 * @param receiveBufferBytes the receive buffer to ask the kernel for
 * @param maxDatagramBytes the longest payload to keep; the rest of a longer one is truncated
 */
public record ReferenceSettings(InetSocketAddress listen, Path out, int receiveBufferBytes, int maxDatagramBytes) {
    /** The longest payload unless told otherwise: more than a syslog message commonly has. */
    public static final int DEFAULT_MAX_DATAGRAM_BYTES = 2048;

    private static final int LONGEST_UDP_PAYLOAD = 65_507;

    /** Checks the numbers. */
    public ReferenceSettings {
        if (receiveBufferBytes < 1) {
            throw new IllegalArgumentException("the receive buffer takes bytes from 1, not " + receiveBufferBytes);
        }
        if (maxDatagramBytes < 1 || maxDatagramBytes > LONGEST_UDP_PAYLOAD) {
            throw new IllegalArgumentException(
                    "max datagram takes bytes from 1 to " + LONGEST_UDP_PAYLOAD + ", not " + maxDatagramBytes);
        }
    }

    /** Settings with the usual longest payload. */
    public ReferenceSettings(InetSocketAddress listen, Path out, int receiveBufferBytes) {
        this(listen, out, receiveBufferBytes, DEFAULT_MAX_DATAGRAM_BYTES);
    }
}
