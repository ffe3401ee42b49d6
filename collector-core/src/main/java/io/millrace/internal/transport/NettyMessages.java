package io.millrace.internal.transport;

import io.millrace.transport.StagedDatagram;
import io.netty.channel.epoll.LinuxSocket;
import io.netty.channel.epoll.Native;
import io.netty.channel.unix.Buffer;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Netty's {@code recvmmsg}: up to 32 datagrams per call, without an object per datagram. Netty has this call only for its own
 * channel, so it is accessed by method handles. They are missing if Netty is a named module, and may be in another release of
 * Netty. One thread.
 */
final class NettyMessages {
    /** The maximum number of datagrams per call. */
    static final int CAPACITY = 32;

    /** The size of {@code struct iovec} with 64-bit addresses, in bytes. */
    private static final int IOVEC_BYTES = 16;

    /** The call, and the fields of a message that it reads and writes. */
    private record Calls(
            MethodHandle receive,
            Class<?> message,
            MethodHandle newMessage,
            VarHandle iovecs,
            VarHandle count,
            VarHandle address,
            VarHandle addressLength,
            VarHandle scopeId,
            VarHandle port) {}

    private static final @Nullable Calls CALLS;
    private static final @Nullable String PROBLEM;

    static {
        Calls calls = null;
        String problem = null;
        try {
            calls = find();
            probe(calls);
        } catch (IOException e) {
            problem = "the kernel probe failed: " + e.getMessage();
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            problem = "Netty's recvmmsg cannot be reached: " + e;
        }
        CALLS = calls;
        PROBLEM = problem;
    }

    private final LinuxSocket socket;
    private final boolean ipv6;
    private final Object[] messages;
    private final StagedDatagram[] datagrams = new StagedDatagram[CAPACITY];
    private final ByteBuffer iovecs =
            ByteBuffer.allocateDirect(CAPACITY * IOVEC_BYTES).order(ByteOrder.nativeOrder());

    /**
     * Allocates buffers for the datagrams of a socket.
     *
     * @param ipv6 the socket's family
     * @param maxDatagramBytes the longest payload to keep
     * @throws IllegalStateException if the call is not available here
     */
    NettyMessages(LinuxSocket socket, boolean ipv6, int maxDatagramBytes) {
        Calls calls = calls();
        this.socket = socket;
        this.ipv6 = ipv6;
        this.messages = newMessages(calls, CAPACITY);
        for (int i = 0; i < CAPACITY; i++) {
            datagrams[i] = new StagedDatagram(maxDatagramBytes);
            ByteBuffer payload = datagrams[i].payload();
            iovecs.putLong(Buffer.memoryAddress(payload)).putLong(payload.capacity());
            calls.iovecs.set(messages[i], Buffer.memoryAddress(iovecs) + (long) i * IOVEC_BYTES);
            calls.count.set(messages[i], 1);
        }
    }

    private static Object[] newMessages(Calls calls, int count) {
        Object[] messages = (Object[]) Array.newInstance(calls.message, count);
        try {
            for (int i = 0; i < count; i++) {
                messages[i] = calls.newMessage.invoke((Object) null);
            }
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
        return messages;
    }

    /** Tests the call with an unbound socket, which has nothing to read. */
    private static void probe(Calls calls) throws IOException {
        LinuxSocket socket = LinuxSocket.newSocketDgram();
        try {
            var unused = receive(calls, socket.intValue(), false, newMessages(calls, 1));
        } finally {
            socket.close();
        }
    }

    private static int receive(Calls calls, int descriptor, boolean ipv6, Object[] messages) throws IOException {
        try {
            return (int) calls.receive.invokeExact(descriptor, ipv6, messages, 0, messages.length);
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static Calls find() throws ReflectiveOperationException {
        if (Buffer.addressSize() != Long.BYTES) {
            throw new UnsupportedOperationException("memory addresses have " + Buffer.addressSize() + " bytes, not 8");
        }
        String arrayName = Native.class.getPackageName() + ".NativeDatagramPacketArray";
        Class<?> array = Class.forName(arrayName, false, Native.class.getClassLoader());
        Class<?> message = Class.forName(arrayName + "$NativeDatagramPacket", false, Native.class.getClassLoader());
        MethodHandles.Lookup inNative = MethodHandles.privateLookupIn(Native.class, MethodHandles.lookup());
        MethodHandles.Lookup inMessage = MethodHandles.privateLookupIn(message, MethodHandles.lookup());
        MethodType receive =
                MethodType.methodType(int.class, int.class, boolean.class, message.arrayType(), int.class, int.class);
        return new Calls(
                inNative.findStatic(Native.class, "recvmmsg", receive)
                        .asType(receive.changeParameterType(2, Object[].class)),
                message,
                inMessage.findConstructor(message, MethodType.methodType(void.class, array)),
                inMessage.findVarHandle(message, "memoryAddress", long.class),
                inMessage.findVarHandle(message, "count", int.class),
                inMessage.findVarHandle(message, "senderAddr", byte[].class),
                inMessage.findVarHandle(message, "senderAddrLen", int.class),
                inMessage.findVarHandle(message, "senderScopeId", int.class),
                inMessage.findVarHandle(message, "senderPort", int.class));
    }

    /** The reason why the call is not available here, for people; null if it is. */
    static @Nullable String unavailableBecause() {
        return PROBLEM;
    }

    private static Calls calls() {
        if (CALLS == null) {
            throw new IllegalStateException(PROBLEM);
        }
        return CALLS;
    }

    /**
     * Receives queued datagrams. Does not block.
     *
     * @return the number received; fewer than {@link #CAPACITY} if no more were queued
     */
    int receive() throws IOException {
        Calls calls = calls();
        int received = receive(calls, socket.intValue(), ipv6, messages);
        for (int i = 0; i < received; i++) {
            take(calls, messages[i], datagrams[i]);
        }
        return received;
    }

    private static void take(Calls calls, Object message, StagedDatagram datagram) {
        // Netty's field has the number of iovecs before the call, and the bytes received after it.
        datagram.received((int) calls.count.get(message));
        calls.count.set(message, 1);
        datagram.source(
                (byte[]) calls.address.get(message),
                (int) calls.addressLength.get(message),
                (int) calls.scopeId.get(message),
                (int) calls.port.get(message));
    }

    /** A datagram of the last {@link #receive}, without a receive time. */
    StagedDatagram datagram(int index) {
        return datagrams[index];
    }
}
