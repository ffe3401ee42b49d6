package io.millrace.internal.receive;

import io.millrace.internal.transport.ListeningSocket;
import io.millrace.internal.transport.ReceiveSocket;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoOps;
import io.netty.channel.IoRegistration;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;

/**
 * The sockets of an event loop, with their registrations for events. A socket that was left is read by another process; its
 * events are ignored. The loop's thread.
 */
final class EventLoopSockets {
    private static final long AFTER_ERROR_NS = 10_000_000;

    private final List<ListeningSocket> sockets;
    private final IoEventLoop loop;
    private final IoRegistration[] registrations;
    private final boolean[] left;

    EventLoopSockets(List<ListeningSocket> sockets, IoEventLoop loop) {
        this.sockets = sockets;
        this.loop = loop;
        this.registrations = new IoRegistration[sockets.size()];
        this.left = new boolean[sockets.size()];
    }

    int count() {
        return left.length;
    }

    /**
     * Registers all sockets. {@link #resume} enables their events.
     *
     * @param onReadable called with the number of a readable socket
     * @throws IOException if the loop does not accept a socket
     */
    void register(IntConsumer onReadable) throws IOException {
        for (int i = 0; i < registrations.length; i++) {
            int number = i;
            var registered = loop.register(socket(i).handle(() -> {
                if (!left[number]) {
                    onReadable.accept(number);
                }
            }));
            if (!registered.isSuccess()) {
                throw new IOException("cannot register a socket with the event loop: " + registered.cause());
            }
            registrations[i] = registered.getNow();
        }
    }

    private ReceiveSocket socket(int number) {
        return sockets.get(number).socket();
    }

    /** Disables the events of all sockets. */
    void pause() {
        for (int i = 0; i < registrations.length; i++) {
            pause(i);
        }
    }

    private void pause(int number) {
        submit(number, socket(number).pauseOps());
    }

    /** Submits an operation. After a failed start, some sockets have no registration. */
    private void submit(int number, IoOps ops) {
        if (registrations[number] != null && registrations[number].isValid()) {
            registrations[number].submit(ops);
        }
    }

    /** Enables the events of the sockets that were not left. */
    void resume() {
        for (int i = 0; i < registrations.length; i++) {
            if (!left[i]) {
                submit(i, socket(i).readOps());
            }
        }
    }

    /**
     * Disables the events of a socket for a moment. A socket whose receive call failed would be reported at once again.
     *
     * @param stillWanted called at the end of the pause; true if sockets are still read
     */
    void pauseAfterError(int number, BooleanSupplier stillWanted) {
        pause(number);
        var unused = loop.schedule(
                () -> {
                    if (!left[number] && stillWanted.getAsBoolean()) {
                        submit(number, socket(number).readOps());
                    }
                },
                AFTER_ERROR_NS,
                TimeUnit.NANOSECONDS);
    }

    /** True if another process keeps a duplicate of the socket. */
    boolean isKept(int number) {
        return socket(number).isKept();
    }

    void leave(int number) {
        left[number] = true;
        pause(number);
    }

    boolean isLeft(int number) {
        return left[number];
    }

    /** True if no other process can continue with the socket. */
    boolean isLocal(int number) {
        return socket(number).isLocal();
    }

    /** Makes a socket refuse everything from now on. */
    boolean refuse(int number) {
        return socket(number).refuseAll();
    }

    /** Makes the sockets that were not left refuse everything from now on; false if one cannot. */
    boolean refuseAll() {
        boolean all = true;
        for (int i = 0; i < left.length; i++) {
            all &= left[i] || socket(i).refuseAll();
        }
        return all;
    }

    void close() throws IOException {
        for (int i = 0; i < registrations.length; i++) {
            if (registrations[i] != null) {
                registrations[i].cancel();
            }
            socket(i).close();
        }
    }
}
