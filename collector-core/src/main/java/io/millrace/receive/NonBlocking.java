package io.millrace.receive;

import io.netty.channel.epoll.LinuxSocket;
import io.netty.channel.unix.DomainSocketAddress;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sets a socket that somebody else has made not to block. Netty has no call for that, but does it with each descriptor it is
 * passed: so the process passes it to itself, and closes the duplicate. The setting is the socket's, not the descriptor's.
 */
final class NonBlocking {
    private static final long WITHIN_NS = TimeUnit.SECONDS.toNanos(5);
    private static final int ADDRESS_BYTES = 128;
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private NonBlocking() {}

    static void set(int descriptor) throws IOException {
        // A name of the kernel's own name space, which no file stands for.
        String name = "\0millrace-" + ProcessHandle.current().pid() + "-" + NUMBER.incrementAndGet();
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
                LinuxSocket.newSocket(to.receiveDescriptor(WITHIN_NS)).close();
            }
        } finally {
            listening.close();
        }
    }
}
