package io.millrace.receive;

/** Socket options of Linux that Netty has no name for: numbers of {@code asm-generic/socket.h}, x86-64 and AArch64. */
final class LinuxOptions {
    static final int SOL_SOCKET = 1;
    static final int SO_TYPE = 3;
    static final int SO_PEERCRED = 17;
    static final int SO_ATTACH_FILTER = 26;
    static final int SO_DETACH_FILTER = 27;
    static final int SO_RCVBUFFORCE = 33;
    static final int SO_DOMAIN = 39;
    static final int SO_BUSY_POLL = 46;
    static final int SO_ATTACH_REUSEPORT_CBPF = 51;
    static final int SO_MEMINFO = 55;
    static final int SO_COOKIE = 57;
    static final int SO_DETACH_REUSEPORT_BPF = 68;
    static final int IPPROTO_UDP = 17;
    static final int UDP_GRO = 104;

    /** SO_MEMINFO: nine u32 ({@code linux/sock_diag.h}); the first is what its receive buffer holds, the last its drops. */
    static final int MEMINFO_BYTES = 36;

    static final int MEMINFO_DROPS_OFFSET = 32;

    static final int MEMINFO_RECEIVE_ALLOC_OFFSET = 0;

    private LinuxOptions() {}
}
