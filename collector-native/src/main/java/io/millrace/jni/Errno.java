package io.millrace.jni;

import java.util.Map;

/** Texts for the error numbers of {@code asm-generic/errno.h}. */
final class Errno {
    private static final Map<Integer, String> WORDS = Map.of(
            1, "operation not permitted (EPERM)",
            12, "out of memory (ENOMEM)",
            22, "invalid argument (EINVAL)",
            38, "function not implemented (ENOSYS)",
            71, "a test datagram was not received correctly (EPROTO)",
            92, "protocol option not available (ENOPROTOOPT)",
            95, "operation not supported (EOPNOTSUPP)",
            101, "network unreachable: the loopback device is down (ENETUNREACH)",
            105, "no buffer space available (ENOBUFS)");

    private Errno() {}

    static String text(int errno) {
        return WORDS.getOrDefault(errno, "error " + errno);
    }
}
