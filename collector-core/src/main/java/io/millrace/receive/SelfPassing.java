package io.millrace.receive;

import io.netty.channel.epoll.LinuxSocket;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.unix.FileDescriptor;
import java.io.IOException;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * Passes a descriptor from this process to itself. That makes a duplicate; and Netty, which has no other call for that, sets each
 * descriptor it receives not to block, which is a setting of the socket and not of the descriptor.
 */
final class SelfPassing {
    private static final long WITHIN_NS = TimeUnit.SECONDS.toNanos(5);
    private static final int ADDRESS_BYTES = 128;

    private SelfPassing() {}

    /** Sets a socket that somebody else has made not to block. */
    static void setNonBlocking(int descriptor) throws IOException {
        new FileDescriptor(duplicate(descriptor)).close();
    }

    /** A duplicate, which is the caller's to close. */
    static int duplicate(int descriptor) throws IOException {
        // A name of the kernel's own name space, which no file stands for, and nobody guesses.
        String name = "\0millrace-" + UUID.randomUUID();
        LinuxSocket listening = LinuxSocket.newSocketDomain();
        try {
            listening.bind(new DomainSocketAddress(name));
            listening.listen(1);
            try (DescriptorSocket from = DescriptorSocket.connect(name);
                    DescriptorSocket to =
                            new DescriptorSocket(LinuxSocket.newSocket(listening.accept(new byte[ADDRESS_BYTES])))) {
                if (to.peerPid() != ProcessHandle.current().pid()) {
                    throw new IOException("another process has connected to " + name.substring(1));
                }
                from.sendDescriptor(descriptor, WITHIN_NS);
                return to.receiveDescriptor(WITHIN_NS);
            }
        } finally {
            listening.close();
        }
    }
}
