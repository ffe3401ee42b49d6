package io.millrace.receive;

import io.netty.channel.unix.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Socket options of Linux that Netty has no name for: numbers of {@code asm-generic/socket.h}, x86-64 and AArch64. */
final class LinuxOptions {
    static final int SOL_SOCKET = 1;
    static final int SO_ATTACH_FILTER = 26;
    static final int SO_RCVBUFFORCE = 33;
    static final int SO_MEMINFO = 55;

    /** SO_MEMINFO: nine u32 ({@code linux/sock_diag.h}); the last is the socket's drops. */
    static final int MEMINFO_BYTES = 36;

    static final int MEMINFO_DROPS_OFFSET = 32;

    private static final short BPF_RET_CONSTANT = 0x06;
    /** One instruction of classic BPF, "return 0": keep 0 bytes of the packet, which is to drop it. */
    private static final ByteBuffer RETURN_ZERO =
            ByteBuffer.allocateDirect(8).order(ByteOrder.nativeOrder()).putShort(0, BPF_RET_CONSTANT);

    private LinuxOptions() {}

    /** A {@code struct sock_fprog} that drops everything. The kernel copies the program when it is attached. */
    static ByteBuffer refuseAllProgram() {
        ByteBuffer program = ByteBuffer.allocateDirect(16).order(ByteOrder.nativeOrder());
        program.putShort(0, (short) 1);
        program.putLong(8, Buffer.memoryAddress(RETURN_ZERO));
        return program;
    }
}
