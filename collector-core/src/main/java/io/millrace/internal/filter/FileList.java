package io.millrace.internal.filter;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.collector.Network;
import io.millrace.internal.file.SmallFile;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The values in a file, one per line. Whoever asks for them checks once per second whether the file has changed; so
 * nothing happens while no messages arrive, and no thread is needed. A file that cannot be read any more leaves the last
 * good values. Any thread.
 */
public final class FileList<T> {
    private static final Logger LOG = LoggerFactory.getLogger(FileList.class);
    private static final int MAX_BYTES = 4 << 20;
    private static final long CHECK_NS = TimeUnit.SECONDS.toNanos(1);

    /** A file that has changed since may still have the same time. */
    private static final long SETTLED_MS = 2_000;

    private final Path file;
    private final Parser<T> parser;
    private final AtomicLong nextCheckNs = new AtomicLong();
    private final ReentrantLock checking = new ReentrantLock();
    private volatile T values;
    private @Nullable Stamp seen;
    private byte[] content;
    private boolean failing;

    /** Parser of the lines. */
    @FunctionalInterface
    public interface Parser<T> {
        /**
         * Parses the lines.
         *
         * @throws IllegalArgumentException if a line is invalid; the message has its number
         */
        T parse(Lines lines);
    }

    /**
     * What identifies a version of the file.
     *
     * @param settled false if the file may change without another stamp
     */
    private record Stamp(
            long size, FileTime modified, @Nullable Object key, boolean settled) {}

    private FileList(Path file, Parser<T> parser) {
        this.file = file;
        this.parser = parser;
        Stamp stamp = stamp();
        this.content = read();
        this.values = parser.parse(new Lines(file, content));
        this.seen = stamp;
        this.nextCheckNs.set(System.nanoTime() + CHECK_NS);
    }

    /**
     * Reads a file.
     *
     * @throws IllegalArgumentException if it cannot be read, or a line is invalid
     */
    public static <T> FileList<T> open(String path, Parser<T> parser) {
        if (path.isBlank() || path.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("the path of a file belongs here");
        }
        return new FileList<>(Path.of(path), parser);
    }

    /** A list without values that is never read. */
    public static <T> FileList<T> empty(Parser<T> parser) {
        return new FileList<>(parser);
    }

    private FileList(Parser<T> parser) {
        this.file = Path.of("");
        this.parser = parser;
        this.content = new byte[0];
        this.values = parser.parse(new Lines(file, content));
        this.nextCheckNs.set(System.nanoTime() + Long.MAX_VALUE / 2);
    }

    /** The values, no more than a second older than the file. */
    T values() {
        long nowNs = System.nanoTime();
        long dueNs = nextCheckNs.get();
        if (nowNs - dueNs >= 0 && nextCheckNs.compareAndSet(dueNs, nowNs + CHECK_NS) && checking.tryLock()) {
            try {
                check();
            } finally {
                checking.unlock();
            }
        }
        return values;
    }

    private void check() {
        try {
            Stamp now = stamp();
            if (now.equals(seen) && now.settled()) {
                return;
            }
            // A file with an invalid line is read again only when it changes.
            seen = now;
            byte[] bytes = read();
            if (!failing && Arrays.equals(bytes, content)) {
                return;
            }
            values = parser.parse(new Lines(file, bytes));
            content = bytes;
            failing = false;
            LOG.info("Filter list {} changed, and was read again", file);
        } catch (IllegalArgumentException e) {
            if (!failing) {
                LOG.warn("Filter list {}: {}. The filter continues with the previous values", file, e.getMessage());
            }
            failing = true;
            if (e.getCause() instanceof IOException) {
                // A repaired permission changes no stamp.
                seen = null;
            }
        }
    }

    private Stamp stamp() {
        try {
            BasicFileAttributes now =
                    SmallFile.inTime(file, () -> Files.readAttributes(file, BasicFileAttributes.class));
            if (!now.isRegularFile()) {
                throw new IllegalArgumentException("cannot read " + file + ": it is not a regular file");
            }
            boolean settled =
                    Math.abs(System.currentTimeMillis() - now.lastModifiedTime().toMillis()) > SETTLED_MS;
            return new Stamp(now.size(), now.lastModifiedTime(), now.fileKey(), settled);
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    private byte[] read() {
        try {
            byte[] bytes = SmallFile.head(file, MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw new IllegalArgumentException(file + " is larger than the maximum of 4 MiB");
            }
            return bytes;
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    private IllegalArgumentException unreadable(IOException e) {
        String why = e instanceof NoSuchFileException
                ? "file does not exist"
                : e instanceof AccessDeniedException ? "no permission" : String.valueOf(e.getMessage());
        return new IllegalArgumentException("cannot read " + file + ": " + why, e);
    }

    /** The lines that hold a value: not blank, and no comments. Spaces around a value do not belong to it. */
    static final class Lines {
        private final Path file;
        private final List<byte[]> values = new ArrayList<>();
        private final List<Integer> numbers = new ArrayList<>();

        Lines(Path file, byte[] bytes) {
            this.file = file;
            boolean marked =
                    bytes.length >= 3 && bytes[0] == (byte) 0xef && bytes[1] == (byte) 0xbb && bytes[2] == (byte) 0xbf;
            int number = 0;
            for (int begin = marked ? 3 : 0; begin < bytes.length; number++) {
                int end = begin;
                while (end < bytes.length && bytes[end] != '\n') {
                    end++;
                }
                add(number + 1, bytes, begin, end);
                begin = end + 1;
            }
        }

        private void add(int number, byte[] bytes, int lineBegin, int lineEnd) {
            int begin = lineBegin;
            int end = lineEnd;
            while (begin < end && isSpace(bytes[begin])) {
                begin++;
            }
            while (begin < end && isSpace(bytes[end - 1])) {
                end--;
            }
            if (begin < end && bytes[begin] != '#') {
                values.add(Arrays.copyOfRange(bytes, begin, end));
                numbers.add(number);
            }
        }

        private static boolean isSpace(byte b) {
            return b == ' ' || b == '\t' || b == '\r';
        }

        TextSet texts() {
            return TextSet.of(values);
        }

        /** The values as numbers, in ascending order. */
        long[] numbers(Literals.Reader reader) {
            return parsed(reader::read, "a value of this field").stream()
                    .mapToLong(Long::longValue)
                    .sorted()
                    .toArray();
        }

        AddressSet addresses() {
            return AddressSet.of(parsed(Network::parse, "an address or a network such as 10.0.0.0/8"));
        }

        /** The file may be the wrong one, so errors do not quote it. */
        private <V> List<V> parsed(Function<String, V> parser, String what) {
            List<V> all = new ArrayList<>();
            for (int i = 0; i < values.size(); i++) {
                String text = new String(values.get(i), UTF_8);
                try {
                    all.add(parser.apply(text));
                } catch (IllegalArgumentException e) {
                    throw new IllegalArgumentException("line " + numbers.get(i) + " of " + file + " is not " + what, e);
                }
            }
            return all;
        }
    }
}
