package io.millrace.linux;

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
 * {@code recvmmsg} for Unix datagram sockets, with the credentials of each sender ({@code SCM_CREDENTIALS}), for which neither the JDK
 * nor Netty has a call. The structures are those of Linux with addresses of 64 bits. One thread.
 */
public final class LocalDatagrams {
    /** Datagrams of one call, at most. */
    public static final int CAPACITY = 16;

    private static final int EAGAIN = 11;
    private static final int EINTR = 4;
    private static final int MSG_DONTWAIT = 0x40;
    /** Going in: tell the length on the wire. Coming out: it was longer than the memory. */
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
     * Makes room for the datagrams of a socket, which has {@code SO_PASSCRED} set.
     *
     * @param maxBytes the longest payload to keep
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

    /** Why there is no such call here, in words for a person; null if there is. */
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
     * Receives what waits, without waiting.
     *
     * @return how many came; fewer than {@link #CAPACITY} if no more were waiting
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

    /** Where the payload of one begins there. */
    public int offset(int index) {
        return index * maxBytes;
    }

    /** Bytes of the payload of one, on the wire; no more than were asked for are kept. */
    public int length(int index) {
        return messages.getInt((long) index * MESSAGE_BYTES + MESSAGE_LENGTH);
    }

    /** True if the sender of one is known. */
    public boolean hasCredentials(int index) {
        long control = (long) index * CONTROL_BYTES;
        return messages.getLong((long) index * MESSAGE_BYTES + MESSAGE_CONTROL_LENGTH) >= CREDENTIALS_LENGTH
                && controls.getInt(control + CONTROL_LEVEL) == SocketOptions.SOL_SOCKET
                && controls.getInt(control + CONTROL_TYPE) == SCM_CREDENTIALS;
    }

    /** Its process. */
    public int pid(int index) {
        return credential(index, 0);
    }

    /** Its user. */
    public int uid(int index) {
        return credential(index, 1);
    }

    /** Its group. */
    public int gid(int index) {
        return credential(index, 2);
    }

    private int credential(int index, int number) {
        return controls.getInt((long) index * CONTROL_BYTES + CONTROL_DATA + (long) number * Integer.BYTES);
    }
}
