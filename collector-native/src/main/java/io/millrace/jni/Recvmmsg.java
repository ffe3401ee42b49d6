package io.millrace.jni;

import java.nio.ByteBuffer;

/** The functions of the native library. {@code receive.h} describes them. Errors are {@code -errno}. */
final class Recvmmsg {
    private Recvmmsg() {}

    /** Incremented when a function here changes, because a library that is installed as a file may be older. */
    static final int VERSION = 2;

    static native int version();

    static native int probe();

    static native long open(int descriptor, int maxDatagramBytes, boolean gro, boolean packetTimestamps);

    /** The memory with the result of each read: struct outcome, in the byte order of the host. */
    static native ByteBuffer outcome(long reader);

    static native int read(
            long reader,
            ByteBuffer memory,
            int capacity,
            int length,
            boolean empty,
            long baseTimeNs,
            int input,
            long nowNs);

    static native void close(long reader);
}
