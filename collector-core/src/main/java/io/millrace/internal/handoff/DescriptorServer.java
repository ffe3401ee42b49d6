package io.millrace.internal.handoff;

import io.millrace.internal.agent.FailureLog;
import io.millrace.internal.agent.FatalErrors;
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
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server on a Unix socket that accepts processes of the same user, or of root, to pass descriptors. It serves one
 * connection at a time, on its own thread, which sleeps while there is none.
 */
public final class DescriptorServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DescriptorServer.class);
    /** The length of {@code sun_path} of {@code linux/un.h}, without the zero at its end. */
    private static final int MAX_PATH = 107;

    private static final int BACKLOG = 8;
    private static final int ADDRESS_BYTES = 128;
    private static final long CLOSE_SECONDS = 5;
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(500);

    private final Path path;
    private final LinuxSocket socket;
    private final int user;
    private final Consumer<DescriptorSocket> onConnect;
    private final MultiThreadIoEventLoopGroup group;
    private final FailureLog failures = new FailureLog(LOG);
    private final FailureLog rejections = new FailureLog(LOG);
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
     * Starts to listen. The socket file of an earlier process is replaced: the caller must know that no process listens there.
     *
     * @param path the socket file, which only its owner may read and write
     * @param thread the name of the thread
     * @param onConnect called on that thread with each connection. It must close the connection; an exception also closes it
     * @throws IOException if it cannot listen there
     */
    public static DescriptorServer listen(Path path, String thread, Consumer<DescriptorSocket> onConnect)
            throws IOException {
        int length = path.toString().getBytes(StandardCharsets.UTF_8).length;
        if (!Epoll.isAvailable()) {
            throw new IOException("cannot listen on " + path + ": Netty's epoll library does not load");
        } else if (length > MAX_PATH) {
            throw new IOException(
                    "the path " + path + " has " + length + " bytes; the path of a socket has at most " + MAX_PATH);
        }
        LinuxSocket socket = LinuxSocket.newSocketDomain();
        try {
            Files.deleteIfExists(path);
            socket.bind(new DomainSocketAddress(path.toString()));
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
            socket.listen(BACKLOG);
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
            // Without a task that waits, Netty wakes an event loop each second.
            var unused = loop.scheduleWithFixedDelay(() -> {}, 1, 1, TimeUnit.DAYS);
        } catch (ChannelException | IllegalStateException e) {
            var unused = group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            throw new IOException("cannot register the socket " + path + " with its event loop", e);
        }
    }

    /** Receives the events of the listening socket. */
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
            // DescriptorServer.close() closes the socket.
        }
    }

    private void accept() {
        int accepted;
        try {
            accepted = closed ? -1 : socket.accept(address);
        } catch (IOException e) {
            failures.report("Cannot accept a connection to {}, and tries again: {}", path, e.toString());
            // The socket stays readable: without a pause, the loop would do nothing else.
            LockSupport.parkNanos(PAUSE_NS);
            return;
        }
        try {
            if (accepted >= 0) {
                serve(new DescriptorSocket(LinuxSocket.newSocket(accepted)));
            }
        } catch (IOException | RuntimeException | Error e) {
            if (!FatalErrors.report(e)) {
                failures.report("Cannot serve a connection to {}: {}", path, e.toString());
            }
        }
    }

    private void serve(DescriptorSocket connection) throws IOException {
        try {
            int peer = connection.peerUid();
            if (peer != user && peer != 0) {
                rejections.report("Rejected a connection to {} of user {}: expected user {} or root", path, peer, user);
                connection.close();
                return;
            }
            onConnect.accept(connection);
        } catch (IOException | RuntimeException e) {
            connection.close();
            throw new IOException(e.toString(), e);
        }
    }

    /** Stops listening and removes the socket file. Waits up to {@value #CLOSE_SECONDS} s for a running {@code onConnect}. */
    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        Files.deleteIfExists(path);
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS);
        // Last: the kernel may reuse the number at once, while the loop is about to accept.
        socket.close();
    }
}
