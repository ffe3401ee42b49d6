package io.millrace.receive;

import io.millrace.transport.ListeningSocket;
import io.millrace.transport.ReceiveSocket;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoOps;
import io.netty.channel.IoRegistration;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;

/**
 * The sockets of an event loop, and what the loop is to report of each. A socket that was left is read by another process and
 * reported no more. The loop's thread.
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
     * Registers all of them, to be reported after {@link #resume}.
     *
     * @param onReadable called with the number of one that can be read
     * @throws IOException if the loop does not take one
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
                throw new IOException("the event loop does not take the socket: " + registered.cause());
            }
            registrations[i] = registered.getNow();
        }
    }

    private ReceiveSocket socket(int number) {
        return sockets.get(number).socket();
    }

    /** Has none of them reported any more. */
    void pause() {
        for (int i = 0; i < registrations.length; i++) {
            pause(i);
        }
    }

    private void pause(int number) {
        submit(number, socket(number).pauseOps());
    }

    /** After a start that failed half-way some have no registration. */
    private void submit(int number, IoOps ops) {
        if (registrations[number] != null && registrations[number].isValid()) {
            registrations[number].submit(ops);
        }
    }

    /** Has those reported that were not left. */
    void resume() {
        for (int i = 0; i < registrations.length; i++) {
            if (!left[i]) {
                submit(i, socket(i).readOps());
            }
        }
    }

    /**
     * Gives one a moment's rest: a socket whose receive call fails would be reported as readable at once again.
     *
     * @param stillWanted asked at the end of the rest, whether sockets are read at all then
     */
    void rest(int number, BooleanSupplier stillWanted) {
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

    /** True if somebody outside of this process has a duplicate, and keeps it. */
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

    /** True if no other process can go on with it. */
    boolean isLocal(int number) {
        return socket(number).isLocal();
    }

    /** Has one refuse everything from now on. */
    boolean refuse(int number) {
        return socket(number).refuseAll();
    }

    /** Has those that were not left refuse everything from now on; false if one cannot. */
    boolean refuseAll() {
        boolean all = true;
        for (int i = 0; i < left.length; i++) {
            all &= left[i] || socket(i).refuseAll();
        }
        return all;
    }

    /** Takes them from the loop, and closes them. */
    void close() throws IOException {
        for (int i = 0; i < registrations.length; i++) {
            if (registrations[i] != null) {
                registrations[i].cancel();
            }
            socket(i).close();
        }
    }
}
