package io.millrace.bench.reference;

import java.net.InetSocketAddress;
import java.nio.file.Path;

/**
 * The settings of a reference receiver.
 *
 * @param listen where to listen; port 0 lets the kernel choose
 * @param out the file to write; an existing one is replaced
 * @param receiveBufferBytes the receive buffer to request from the kernel
 * @param maxDatagramBytes the longest payload; a longer one is truncated
 */
public record ReferenceSettings(InetSocketAddress listen, Path out, int receiveBufferBytes, int maxDatagramBytes) {
    /** The default longest payload, more than a usual syslog message has. */
    public static final int DEFAULT_MAX_DATAGRAM_BYTES = 2048;

    private static final int MAX_UDP_PAYLOAD = 65_507;

    /** Checks the numbers. */
    public ReferenceSettings {
        if (receiveBufferBytes < 1) {
            throw new IllegalArgumentException("--receive-buffer accepts 1 byte or more, not " + receiveBufferBytes);
        }
        if (maxDatagramBytes < 1 || maxDatagramBytes > MAX_UDP_PAYLOAD) {
            throw new IllegalArgumentException(
                    "--max-datagram accepts bytes from 1 to " + MAX_UDP_PAYLOAD + ", not " + maxDatagramBytes);
        }
    }

    /** Settings with the default longest payload. */
    public ReferenceSettings(InetSocketAddress listen, Path out, int receiveBufferBytes) {
        this(listen, out, receiveBufferBytes, DEFAULT_MAX_DATAGRAM_BYTES);
    }
}
