package io.millrace.internal.deliver;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.internal.disk.Disk;
import io.millrace.internal.disk.DiskFile;
import io.millrace.sink.Positions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The positions of one sink on disk: {@code <data>/positions/<sink>}, lines of text that end in their CRC-32C. A new file
 * replaces the old one atomically once it is on disk.
 *
 * <pre>
 * millrace positions 1
 * journal 3b4a9d0c2f1e8a77
 * acked 1200
 * filtered 17
 * dead-lettered 0
 * missing 0
 * to 2026-11-21T09:00:00Z 4800
 * shard 0 next 1217
 * crc32c 5d1f0b22
 * </pre>
 *
 * <p>The line {@code to} is there if the sink has an end: its time, and the first datagram of each shard that is not delivered.
 */
public final class PositionFile {
    private static final String FIRST = "millrace positions 1";
    private static final String CRC = "crc32c ";
    private static final String TO = "to ";
    /** A suffix that no sink's name has. */
    private static final String UNFINISHED = "~";

    private final Path file;

    private PositionFile(Path file) {
        this.file = file;
    }

    /** The file of a sink in a data directory; it need not exist. */
    public static PositionFile of(Path dataDirectory, String sink) {
        return new PositionFile(dataDirectory.resolve("positions").resolve(sink));
    }

    /** True for the name of a file that was not completely written. */
    public static boolean isUnfinished(String name) {
        return name.endsWith(UNFINISHED);
    }

    /**
     * Reads the positions; null if there is no file.
     *
     * @throws IOException if they are damaged or of another version; the message names the file and says what to do
     */
    public @Nullable Positions read() throws IOException {
        String text;
        try {
            text = Disk.of(file).readString(file, UTF_8);
        } catch (NoSuchFileException e) {
            return null;
        } catch (CharacterCodingException e) {
            throw damaged("it is not text", e);
        }
        try {
            return parse(text);
        } catch (RuntimeException e) {
            throw damaged(String.valueOf(e.getMessage()), e);
        }
    }

    private IOException damaged(String how, Exception cause) {
        return new IOException(
                file + " is damaged (" + how + "): 'millrace journal positions --set " + file.getFileName()
                        + "=begin' makes a new one",
                cause);
    }

    private static Positions parse(String text) {
        int last = text.lastIndexOf(CRC);
        if (!text.startsWith(FIRST + "\n")) {
            throw new IllegalArgumentException("it does not begin with '" + FIRST + "'");
        }
        if (last < 0
                || !text.endsWith("\n")
                || !text.substring(last).strip().equals(CRC + crc(text.substring(0, last)))) {
            throw new IllegalArgumentException("its checksum is wrong");
        }
        List<String> lines = text.substring(0, last).lines().toList();
        Positions.Counts counts = new Positions.Counts(
                number(lines, 2, "acked"),
                number(lines, 3, "filtered"),
                number(lines, 4, "dead-lettered"),
                number(lines, 5, "missing"));
        boolean hasEnd = lines.size() > 6 && lines.get(6).startsWith(TO);
        int first = hasEnd ? 7 : 6;
        long[] next = new long[lines.size() - first];
        for (int shard = 0; shard < next.length; shard++) {
            next[shard] = number(lines, first + shard, "shard " + shard + " next");
        }
        return new Positions(
                Long.parseUnsignedLong(value(lines, 1, "journal"), 16),
                next,
                counts,
                hasEnd ? range(lines.get(6).substring(TO.length()).split(" ")) : null);
    }

    private static Positions.Range range(String[] words) {
        return new Positions.Range(
                Instant.parse(words[0]),
                Arrays.stream(words).skip(1).mapToLong(Long::parseLong).toArray());
    }

    private static long number(List<String> lines, int index, String key) {
        return Long.parseLong(value(lines, index, key));
    }

    private static String value(List<String> lines, int index, String key) {
        String line = index < lines.size() ? lines.get(index) : "";
        if (!line.startsWith(key + " ")) {
            throw new IllegalArgumentException("line " + (index + 1) + " does not begin with '" + key + "'");
        }
        return line.substring(key.length() + 1);
    }

    /**
     * Replaces the positions; the new ones are on disk when this method returns.
     *
     * @throws IOException if that failed; the old positions are then unchanged
     */
    public void write(Positions positions) throws IOException {
        List<String> lines = new ArrayList<>(List.of(
                FIRST,
                String.format(Locale.ROOT, "journal %016x", positions.journalId()),
                "acked " + positions.counts().acked(),
                "filtered " + positions.counts().filtered(),
                "dead-lettered " + positions.counts().deadLettered(),
                "missing " + positions.counts().missing()));
        Positions.Range range = positions.range();
        if (range != null) {
            StringBuilder line = new StringBuilder(TO).append(range.to());
            for (long end : range.ends()) {
                line.append(' ').append(end);
            }
            lines.add(line.toString());
        }
        for (int shard = 0; shard < positions.next().length; shard++) {
            lines.add("shard " + shard + " next " + positions.next(shard));
        }
        String text = String.join("\n", lines) + "\n";
        ByteBuffer bytes = ByteBuffer.wrap((text + CRC + crc(text) + "\n").getBytes(UTF_8));
        Disk.of(directory()).createDirectories(directory());
        Path next = file.resolveSibling(file.getFileName() + UNFINISHED);
        try (DiskFile channel = Disk.of(next)
                .open(
                        next,
                        Set.of(
                                StandardOpenOption.CREATE,
                                StandardOpenOption.WRITE,
                                StandardOpenOption.TRUNCATE_EXISTING),
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r-----")))) {
            channel.writeFully(bytes, 0);
            channel.sync(true);
        }
        move(next);
    }

    private void move(Path next) throws IOException {
        try {
            Disk.of(next).rename(next, file);
        } catch (AtomicMoveNotSupportedException e) {
            throw new IOException(directory() + " is on a file system that cannot replace a file in one step", e);
        }
    }

    /** Deletes the positions, so that the sink starts again; false if there were none. */
    public boolean delete() throws IOException {
        return Disk.of(file).deleteIfExists(file);
    }

    private Path directory() {
        Path parent = file.getParent();
        return parent == null ? Path.of(".") : parent;
    }

    private static String crc(String text) {
        CRC32C crc = new CRC32C();
        crc.update(text.getBytes(UTF_8));
        return String.format(Locale.ROOT, "%08x", crc.getValue());
    }

    @Override
    public String toString() {
        return file.toString();
    }
}
