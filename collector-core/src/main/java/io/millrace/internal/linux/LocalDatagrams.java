package io.millrace.internal.linux;

import com.sun.jna.Function;
import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * A receiver for Unix datagram sockets: {@code recvmmsg} with the credentials of each sender ({@code SCM_CREDENTIALS}),
 * which neither the JDK nor Netty offers. It uses the structures of 64-bit Linux. One thread.
 */
public final class LocalDatagrams {
    /** The maximum number of datagrams per call. */
    public static final int CAPACITY = 16;

    private static final int EAGAIN = 11;
    private static final int EINTR = 4;
    private static final int MSG_DONTWAIT = 0x40;
    /** As an argument: return the original length. As a result: the datagram was truncated. */
    private static final int MSG_TRUNC = 0x20;

    private static final int SCM_CREDENTIALS = 2;

    // struct mmsghdr: struct msghdr, then the length.
    private static final int MESSAGE_BYTES = 64;
    private static final int MESSAGE_IOV = 16;
    private static final int MESSAGE_IOV_LENGTH = 24;
    private static final int MESSAGE_CONTROL = 32;
    private static final int MESSAGE_CONTROL_LENGTH = 40;
    private static final int MESSAGE_LENGTH = 56;

    private static final int IOVEC_BYTES = 16;
    // struct cmsghdr, struct ucred and padding.
    private static final int CONTROL_BYTES = 32;
    private static final int CONTROL_LEVEL = 8;
    private static final int CONTROL_TYPE = 12;
    private static final int CONTROL_DATA = 16;
    private static final int CREDENTIALS_LENGTH = CONTROL_DATA + 12;

    private final int maxBytes;
    private final Function call;
    private final Memory messages = new Memory((long) CAPACITY * MESSAGE_BYTES);
    private final Memory iovecs = new Memory((long) CAPACITY * IOVEC_BYTES);
    private final Memory controls = new Memory((long) CAPACITY * CONTROL_BYTES);
    private final ByteBuffer payloads;
    private final Object[] arguments;

    /**
     * Creates a receiver and its buffers for a socket with {@code SO_PASSCRED}.
     *
     * @param maxBytes the maximum payload size; longer payloads are truncated
     */
    public LocalDatagrams(int descriptor, int maxBytes) {
        this.maxBytes = maxBytes;
        this.call = NativeLibrary.getInstance("c").getFunction("recvmmsg");
        this.payloads = ByteBuffer.allocateDirect(CAPACITY * maxBytes).order(ByteOrder.LITTLE_ENDIAN);
        this.arguments = new Object[] {descriptor, messages, CAPACITY, MSG_DONTWAIT | MSG_TRUNC, null};
        messages.clear();
        Pointer memory = Native.getDirectBufferPointer(payloads);
        for (int i = 0; i < CAPACITY; i++) {
            long message = (long) i * MESSAGE_BYTES;
            long iovec = (long) i * IOVEC_BYTES;
            iovecs.setPointer(iovec, memory.share((long) i * maxBytes));
            iovecs.setLong(iovec + Long.BYTES, maxBytes);
            messages.setPointer(message + MESSAGE_IOV, iovecs.share(iovec));
            messages.setLong(message + MESSAGE_IOV_LENGTH, 1);
            messages.setPointer(message + MESSAGE_CONTROL, controls.share((long) i * CONTROL_BYTES));
        }
    }

    /** The reason why {@code recvmmsg} cannot be called here, as a message; null if it can. */
    public static @Nullable String unavailableBecause() {
        try {
            if (Native.POINTER_SIZE != Long.BYTES) {
                return "addresses have " + Native.POINTER_SIZE + " bytes here";
            }
            var unused = NativeLibrary.getInstance("c").getFunction("recvmmsg");
            return null;
        } catch (LinkageError e) {
            return "JNA cannot load its native library: " + e.getMessage();
        }
    }

    /**
     * Receives the waiting datagrams. Does not block.
     *
     * @return the number of datagrams; fewer than {@link #CAPACITY} if no more were waiting
     */
    public int receive() throws IOException {
        for (int i = 0; i < CAPACITY; i++) {
            messages.setLong((long) i * MESSAGE_BYTES + MESSAGE_CONTROL_LENGTH, CONTROL_BYTES);
        }
        int received = call.invokeInt(arguments);
        if (received >= 0) {
            return received;
        }
        int error = Native.getLastError();
        if (error == EAGAIN || error == EINTR) {
            return 0;
        }
        throw new IOException("recvmmsg failed with error " + error);
    }

    /** The memory that holds the payloads. */
    public ByteBuffer payloads() {
        return payloads;
    }

    /** The offset of a payload in {@link #payloads}. */
    public int offset(int index) {
        return index * maxBytes;
    }

    /** The original length of a payload, which can be more than the maximum size. */
    public int length(int index) {
        return messages.getInt((long) index * MESSAGE_BYTES + MESSAGE_LENGTH);
    }

    /** True if a datagram has the credentials of its sender. */
    public boolean hasCredentials(int index) {
        long control = (long) index * CONTROL_BYTES;
        return messages.getLong((long) index * MESSAGE_BYTES + MESSAGE_CONTROL_LENGTH) >= CREDENTIALS_LENGTH
                && controls.getInt(control + CONTROL_LEVEL) == SocketOptions.SOL_SOCKET
                && controls.getInt(control + CONTROL_TYPE) == SCM_CREDENTIALS;
    }

    /** The process id of the sender. */
    public int pid(int index) {
        return credential(index, 0);
    }

    /** The user id of the sender. */
    public int uid(int index) {
        return credential(index, 1);
    }

    /** The group id of the sender. */
    public int gid(int index) {
        return credential(index, 2);
    }

    private int credential(int index, int number) {
        return controls.getInt((long) index * CONTROL_BYTES + CONTROL_DATA + (long) number * Integer.BYTES);
    }
}
