package io.millrace.record;

/** How a message came in. The ids are stored in the journal: they are never reused. */
public enum FrameTransport {
    /** A UDP datagram: what a frame without an extension is. */
    UDP(0, "udp", false),
    /** A connection of TCP. */
    TCP(1, "tcp", false),
    /** A connection of a Unix socket. */
    UNIX_STREAM(2, "unix", true),
    /** A datagram of a Unix socket. */
    UNIX_DATAGRAM(3, "unixgram", true),
    /** An id that this version does not know. */
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

    int id() {
        return id;
    }

    static FrameTransport of(int id) {
        for (FrameTransport transport : ALL) {
            if (transport.id == id) {
                return transport;
            }
        }
        return OTHER;
    }

    /** Name in outputs, and the scheme of the addresses of its inputs. */
    public String key() {
        return key;
    }

    /** True if the source is a process of this host: it has no address. */
    public boolean isLocal() {
        return local;
    }
}
