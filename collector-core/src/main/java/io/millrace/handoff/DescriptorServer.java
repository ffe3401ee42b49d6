package io.millrace.handoff;

import io.netty.channel.ChannelException;
import io.netty.channel.IoEvent;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoRegistration;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.channel.epoll.LinuxSocket;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits at a Unix socket for processes of the same user, or of root, that want descriptors. One connection at a time, on a
 * thread of its own that sleeps while there is none.
 */
public final class DescriptorServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DescriptorServer.class);
    /** {@code sun_path} of {@code linux/un.h}, with a zero at its end. */
    private static final int MAX_PATH = 107;

    private static final int WAITING = 8;
    private static final int ADDRESS_BYTES = 128;
    private static final long CLOSE_SECONDS = 5;

    private final Path path;
    private final LinuxSocket socket;
    private final int user;
    private final Consumer<DescriptorSocket> onConnect;
    private final MultiThreadIoEventLoopGroup group;
    private final byte[] address = new byte[ADDRESS_BYTES];
    private volatile boolean closed;

    private DescriptorServer(Path path, LinuxSocket socket, int user, String thread, Consumer<DescriptorSocket> task) {
        this.path = path;
        this.socket = socket;
        this.user = user;
        this.onConnect = task;
        this.group = new MultiThreadIoEventLoopGroup(
                1,
                run -> {
                    Thread made = new FastThreadLocalThread(run, thread);
                    made.setDaemon(true);
                    return made;
                },
                EpollIoHandler.newFactory());
    }

    /**
     * Listens. What an earlier process left of the path is replaced: the caller knows that none is there any more.
     *
     * @param path of the socket, made readable and writable for its owner alone
     * @param thread the name of the thread
     * @param onConnect called on that thread with each connection, which is the callee's to close; an exception closes it
     * @throws IOException if it cannot listen there
     */
    public static DescriptorServer listen(Path path, String thread, Consumer<DescriptorSocket> onConnect)
            throws IOException {
        int length = path.toString().getBytes(StandardCharsets.UTF_8).length;
        if (!Epoll.isAvailable()) {
            throw new IOException("Netty's epoll library does not load");
        } else if (length > MAX_PATH) {
            throw new IOException(
                    "the path " + path + " has " + length + " bytes, and that of a socket may have " + MAX_PATH);
        }
        LinuxSocket socket = LinuxSocket.newSocketDomain();
        try {
            Files.deleteIfExists(path);
            socket.bind(new DomainSocketAddress(path.toString()));
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
            socket.listen(WAITING);
            int user = (Integer) Files.getAttribute(path, "unix:uid");
            DescriptorServer server = new DescriptorServer(path, socket, user, thread, onConnect);
            server.start();
            return server;
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    private void start() throws IOException {
        IoEventLoop loop = group.next();
        try {
            IoRegistration registration =
                    loop.register(new Handle()).syncUninterruptibly().getNow();
            registration.submit(EpollIoOps.EPOLLIN);
        } catch (ChannelException | IllegalStateException e) {
            var unused = group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            throw new IOException("the event loop does not take the socket " + path, e);
        }
    }

    /** What the event loop tells of the listening socket. */
    private final class Handle implements EpollIoHandle {
        @Override
        public io.netty.channel.unix.FileDescriptor fd() {
            return socket;
        }

        @Override
        public void handle(IoRegistration registration, IoEvent event) {
            accept();
        }

        @Override
        public void close() {
            // The server closes it.
        }
    }

    private void accept() {
        try {
            int accepted = closed ? -1 : socket.accept(address);
            if (accepted >= 0) {
                serve(new DescriptorSocket(LinuxSocket.newSocket(accepted)));
            }
        } catch (IOException | ChannelException e) {
            LOG.warn("A connection to {} was not taken: {}", path, e.toString());
        }
    }

    private void serve(DescriptorSocket connection) throws IOException {
        try {
            int peer = connection.peerUid();
            if (peer != user && peer != 0) {
                LOG.warn("A connection to {} was not taken: it is of user {}", path, peer);
                connection.close();
                return;
            }
            onConnect.accept(connection);
        } catch (IOException | RuntimeException e) {
            connection.close();
            throw new IOException(e.toString(), e);
        }
    }

    /** Takes no more connections, and removes the path. What {@code onConnect} does at the moment is waited for a while. */
    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        Files.deleteIfExists(path);
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS);
        // Last: the number may be given to another file at once, and the loop may be about to accept.
        socket.close();
    }
}
