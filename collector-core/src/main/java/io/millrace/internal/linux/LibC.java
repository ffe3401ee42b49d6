package io.millrace.internal.linux;

import com.sun.jna.Function;
import com.sun.jna.LastErrorException;
import com.sun.jna.NativeLibrary;
import com.sun.jna.ptr.IntByReference;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.Arrays;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Functions of the C library that neither the JDK nor Netty offers. A call throws {@link LinkageError} if JNA cannot
 * load its native library. Any thread.
 */
public final class LibC {
    private static final Logger LOG = LoggerFactory.getLogger(LibC.class);

    /** {@code errno} of {@link #lock} if another descriptor holds the lock. */
    public static final int EWOULDBLOCK = 11;

    // These values are the same on every architecture with a JDK for Linux.
    private static final int O_RDONLY_CLOEXEC = 0x80000;
    private static final int O_WRONLY_CLOEXEC = 0x80001;
    private static final int EINTR = 4;
    private static final int EIO = 5;
    private static final int EFBIG = 27;
    private static final int ENOSPC = 28;
    private static final int EDQUOT = 122;
    private static final int O_NONBLOCK = 0x800;
    private static final int LOCK_EX_NB = 2 | 4;
    private static final int F_GETFL = 3;
    private static final int F_SETFL = 4;
    private static final int F_GETLK = 5;
    private static final short F_WRLCK = 1;
    private static final short F_UNLCK = 2;
    /** {@code struct flock} of 64-bit systems: two shorts, padding, two longs, and the process id. */
    private static final int FLOCK_BYTES = 32;

    private static final int F_DUPFD_CLOEXEC = 1030;
    private static final int SIOCINQ = 0x541b;
    private static final int NONE = -1;

    private LibC() {}

    /** Duplicates a descriptor; the caller closes the duplicate. */
    public static int duplicate(int descriptor) throws IOException {
        return checked("fcntl", descriptor, F_DUPFD_CLOEXEC, 0);
    }

    /** Makes a socket non-blocking. */
    public static void setNonBlocking(int descriptor) throws IOException {
        int flags = checked("fcntl", descriptor, F_GETFL, 0);
        checked("fcntl", descriptor, F_SETFL, flags | O_NONBLOCK);
    }

    /** Opens a directory or a file for reading; the caller closes the descriptor. */
    static int open(Path file) {
        return open(file, O_RDONLY_CLOEXEC);
    }

    private static int open(Path path, int flags) {
        byte[] name = path.toString().getBytes(Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8")));
        return call("open", Arrays.copyOf(name, name.length + 1), flags);
    }

    /**
     * Allocates the blocks of a range of a file with {@code fallocate(2)}; the file becomes as long as needed. Data stays as it is,
     * and new blocks read as zeros without being written.
     *
     * @return false if the file system cannot do it, or it is not allowed here
     * @throws IOException if the disk is full or fails
     */
    public static boolean allocate(Path file, long from, long bytes) throws IOException {
        int descriptor = open(file, O_WRONLY_CLOEXEC);
        try {
            while (true) {
                try {
                    call("fallocate", descriptor, 0, from, bytes);
                    return true;
                } catch (LastErrorException e) {
                    switch (e.getErrorCode()) {
                        case EINTR -> {
                            // Once more.
                        }
                        case ENOSPC -> throw new IOException(file + ": No space left on device", e);
                        case EDQUOT -> throw new IOException(file + ": Disk quota exceeded", e);
                        case EFBIG, EIO -> throw new IOException(file + ": fallocate failed: " + e.getMessage(), e);
                        default -> {
                            return false;
                        }
                    }
                }
            }
        } finally {
            close(descriptor);
        }
    }

    /** Takes an exclusive {@code flock(2)} without waiting. */
    public static void lock(int descriptor) {
        call("flock", descriptor, LOCK_EX_NB);
    }

    /**
     * True if another process holds a lock of {@code fcntl(2)} on a file, as the JDK takes it. It takes no lock itself, so it does not
     * disturb a process that is about to. This process must hold none: closing any descriptor of the file releases it.
     */
    public static boolean isLockedByOther(Path file) throws IOException {
        int descriptor = NONE;
        try {
            descriptor = open(file);
            ByteBuffer lock = ByteBuffer.allocateDirect(FLOCK_BYTES).order(ByteOrder.nativeOrder());
            lock.putShort(0, F_WRLCK);
            checked("fcntl", descriptor, F_GETLK, lock);
            return lock.getShort(0) != F_UNLCK;
        } catch (LastErrorException e) {
            throw new IOException("cannot open " + file + ": " + e.getMessage(), e);
        } finally {
            if (descriptor != NONE) {
                close(descriptor);
            }
        }
    }

    /** The number of unread bytes in a stream socket ({@code SIOCINQ}). */
    public static int unreadBytes(int descriptor) throws IOException {
        IntByReference bytes = new IntByReference();
        checked("ioctl", descriptor, SIOCINQ, bytes);
        return bytes.getValue();
    }

    /** The same; 0 if it is unknown. */
    public static int unreadBytesOrNone(int descriptor) {
        try {
            return unreadBytes(descriptor);
        } catch (IOException | LinkageError e) {
            return 0;
        }
    }

    public static void close(int descriptor) {
        call("close", descriptor);
    }

    /** Closes a descriptor that may be none. */
    public static void closeAnyway(int descriptor) {
        try {
            close(descriptor);
        } catch (LastErrorException e) {
            LOG.debug("Descriptor {} did not close", descriptor, e);
        }
    }

    /** Adds to the nice value of the calling thread. */
    public static void nice(int increment) {
        call("nice", increment);
    }

    private static int checked(String function, Object... arguments) throws IOException {
        try {
            return call(function, arguments);
        } catch (LastErrorException e) {
            throw new IOException(function + " failed: " + e.getMessage(), e);
        }
    }

    private static int call(String function, Object... arguments) {
        return NativeLibrary.getInstance("c")
                .getFunction(function, Function.THROW_LAST_ERROR)
                .invokeInt(arguments);
    }
}
