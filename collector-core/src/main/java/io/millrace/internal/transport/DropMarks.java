package io.millrace.internal.transport;

import io.millrace.internal.disk.Disk;
import io.millrace.internal.linux.ProcFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The accounted drops of sockets that outlive a process, because they are handed off or kept by systemd. One thread.
 *
 * <p>The kernel counts the drops of a socket since its creation. The next process that uses the socket counts from its mark on,
 * so that drops between two processes are counted once. The marks are in a small file. Its first line has the boot and the
 * network namespace; each other line has the cookie and the drops of a socket.
 */
public final class DropMarks {
    private static final Logger LOG = LoggerFactory.getLogger(DropMarks.class);

    private final Map<Long, Long> dropsByCookie;

    private DropMarks(Map<Long, Long> dropsByCookie) {
        this.dropsByCookie = dropsByCookie;
    }

    /** Creates an object without marks. */
    public static DropMarks none() {
        return new DropMarks(new HashMap<>());
    }

    /** Reads the marks of an earlier process. A damaged or missing file has none. */
    public static DropMarks read(Path file) {
        DropMarks marks = none();
        try {
            List<String> lines = Disk.of(file).readAllLines(file, StandardCharsets.US_ASCII);
            if (lines.isEmpty()) {
                throw new IOException("the file is empty");
            }
            if (!lines.get(0).equals(kernel())) {
                LOG.debug("{} is from another boot or network namespace", file);
                return marks;
            }
            for (String line : lines.subList(1, lines.size())) {
                String[] parts = line.split(" ", 2);
                marks.dropsByCookie.put(Long.parseUnsignedLong(parts[0]), Long.parseLong(parts[1]));
            }
        } catch (NoSuchFileException e) {
            LOG.debug("No socket was left open by an earlier process", e);
        } catch (IOException | RuntimeException e) {
            LOG.warn("Cannot read the drop marks of sockets in {}: {}", file, e.toString());
            marks.dropsByCookie.clear();
        }
        return marks;
    }

    /** Sets the accounted drops of a socket. */
    public void add(long cookie, long drops) {
        dropsByCookie.put(cookie, drops);
    }

    /** Writes the marks, or removes the file if there are none. */
    public void write(Path file) throws IOException {
        if (dropsByCookie.isEmpty()) {
            Disk.of(file).deleteIfExists(file);
            return;
        }
        // Renamed when complete: a full disk leaves the old file or none, but never a part of one.
        Path next = file.resolveSibling(file.getFileName() + ".new");
        try {
            Disk.of(next).deleteIfExists(next);
            Disk.of(next)
                    .create(next, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r-----")));
            Disk.of(next)
                    .writeString(
                            next,
                            dropsByCookie.entrySet().stream()
                                    .map(mark -> Long.toUnsignedString(mark.getKey()) + " " + mark.getValue() + "\n")
                                    .collect(Collectors.joining("", kernel() + "\n", "")),
                            StandardCharsets.UTF_8);
            Disk.of(next).rename(next, file);
        } catch (IOException e) {
            Disk.of(next).deleteIfExists(next);
            throw e;
        }
    }

    /** Removes the file, because this process counts from now on. */
    public static void forget(Path file) {
        try {
            Disk.of(file).deleteIfExists(file);
        } catch (IOException e) {
            LOG.warn("Cannot remove {}: {}. Remove it before the next socket handoff", file, e.toString());
        }
    }

    /** The scope of socket cookies: the kernel restarts them at each boot, and may do so in each network namespace. */
    private static String kernel() throws IOException {
        return ProcFile.text(Path.of("/proc/sys/kernel/random/boot_id")) + " " + ProcFile.linkOfSelf("ns/net");
    }

    /** The drops of a socket that are already accounted. Without a mark, all drops so far, because they cannot be attributed. */
    long accountedDrops(ReceiveSocket socket) {
        Long noted = dropsByCookie.get(socket.cookie());
        if (noted != null) {
            return noted;
        }
        long drops = socket.drops();
        if (drops > 0) {
            LOG.warn(
                    "{} datagrams were dropped at a socket before it was passed to this process, and are in no ledger",
                    drops);
        }
        return Math.max(0, drops);
    }
}
