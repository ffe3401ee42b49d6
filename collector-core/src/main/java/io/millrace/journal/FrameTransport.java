package io.millrace.journal;

/**
 * The protocol by which a message came; {@code io.millrace.internal.transport.Transport} is how UDP sockets are read. The ids are stored in the
 * journal and never reused.
 */
public enum FrameTransport {
    /** A UDP datagram. Frames without an extension are UDP datagrams. */
    UDP(0, "udp", false),
    /** A TCP connection. */
    TCP(1, "tcp", false),
    /** A connection of a Unix stream socket. */
    UNIX_STREAM(2, "unix", true),
    /** A datagram of a Unix datagram socket. */
    UNIX_DATAGRAM(3, "unixgram", true),
    /** A TLS connection. */
    TLS(4, "tls", false),
    /** A connection of RELP, with or without TLS. */
    RELP(5, "relp", false),
    /** An unknown id, such as that of a later version. */
    OTHER(255, "other", false);

    private static final FrameTransport[] ALL = values();

    private final int id;
    private final String key;
    private final boolean local;

    FrameTransport(int id, String key, boolean local) {
        this.id = id;
        this.key = key;
        this.local = local;
    }

    /** The id in frames. */
    public int id() {
        return id;
    }

    /** The transport with an id; {@link #OTHER} if it is unknown. */
    public static FrameTransport of(int id) {
        for (FrameTransport transport : ALL) {
            if (transport.id == id) {
                return transport;
            }
        }
        return OTHER;
    }

    /** The name in outputs, and the URL scheme of its inputs. */
    public String key() {
        return key;
    }

    /** True if the source is a process of this host, which has no address. */
    public boolean isLocal() {
        return local;
    }
}
