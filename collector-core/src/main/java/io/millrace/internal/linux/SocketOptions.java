package io.millrace.internal.linux;

/** Numbers of Linux socket options that Netty does not define: {@code asm-generic/socket.h}, for x86-64 and AArch64. */
public final class SocketOptions {
    public static final int SOL_SOCKET = 1;
    public static final int SO_TYPE = 3;
    public static final int SO_PASSCRED = 16;
    public static final int SO_PEERCRED = 17;
    public static final int SO_ATTACH_FILTER = 26;
    public static final int SO_DETACH_FILTER = 27;
    public static final int SO_RCVBUFFORCE = 33;
    public static final int SO_DOMAIN = 39;
    public static final int SO_BUSY_POLL = 46;
    public static final int SO_ATTACH_REUSEPORT_CBPF = 51;
    public static final int SO_MEMINFO = 55;
    public static final int SO_COOKIE = 57;
    public static final int SO_DETACH_REUSEPORT_BPF = 68;
    public static final int IPPROTO_UDP = 17;
    public static final int UDP_GRO = 104;

    /**
     * Size of SO_MEMINFO: nine u32 ({@code linux/sock_diag.h}). The first is the receive buffer usage, the last the
     * drops.
     */
    public static final int MEMINFO_BYTES = 36;

    public static final int MEMINFO_DROPS_OFFSET = 32;

    public static final int MEMINFO_RECEIVE_ALLOC_OFFSET = 0;

    private SocketOptions() {}
}
