package io.millrace.transport;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How far the drops of sockets are counted that outlive a process: those that are handed off, and those that systemd keeps. The
 * kernel counts the drops of a socket from its making on; the process that has it next counts from here on, so that what is
 * dropped between two processes is counted once. A small file: a line that says of which boot and network namespace it is, and then
 * for each socket its cookie and its drops. One thread.
 */
public final class DropMarks {
    private static final Logger LOG = LoggerFactory.getLogger(DropMarks.class);

    private final Map<Long, Long> dropsByCookie;

    private DropMarks(Map<Long, Long> dropsByCookie) {
        this.dropsByCookie = dropsByCookie;
    }

    /** No marks. */
    public static DropMarks none() {
        return new DropMarks(new HashMap<>());
    }

    /** Reads what an earlier process noted; a file that is damaged, or not there, has no marks. */
    public static DropMarks read(Path file) {
        DropMarks marks = none();
        try {
            List<String> lines = Files.readAllLines(file, StandardCharsets.US_ASCII);
            if (lines.isEmpty()) {
                throw new IOException("it is empty");
            }
            if (!lines.get(0).equals(kernel())) {
                LOG.debug("{} is of another boot, or another network namespace", file);
                return marks;
            }
            for (String line : lines.subList(1, lines.size())) {
                String[] parts = line.split(" ", 2);
                marks.dropsByCookie.put(Long.parseUnsignedLong(parts[0]), Long.parseLong(parts[1]));
            }
        } catch (NoSuchFileException e) {
            LOG.debug("No socket was left open by an earlier process", e);
        } catch (IOException | RuntimeException e) {
            LOG.warn("{} cannot be read: {}", file, e.toString());
            marks.dropsByCookie.clear();
        }
        return marks;
    }

    /** Notes how far the drops of a socket are counted. */
    public void add(long cookie, long drops) {
        dropsByCookie.put(cookie, drops);
    }

    /** Writes what was noted, or removes the file if that is nothing. */
    public void write(Path file) throws IOException {
        if (dropsByCookie.isEmpty()) {
            Files.deleteIfExists(file);
            return;
        }
        // On a full disk it is the old file or none, and never a part of one.
        Path next = file.resolveSibling(file.getFileName() + ".new");
        try {
            Files.deleteIfExists(next);
            Files.createFile(next, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r-----")));
            Files.writeString(
                    next,
                    dropsByCookie.entrySet().stream()
                            .map(mark -> Long.toUnsignedString(mark.getKey()) + " " + mark.getValue() + "\n")
                            .collect(Collectors.joining("", kernel() + "\n", "")));
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            Files.deleteIfExists(next);
            throw e;
        }
    }

    /** Removes the file: from now on this process counts. */
    public static void forget(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            LOG.warn("{} cannot be removed, and must be before the next handoff: {}", file, e.toString());
        }
    }

    /** Where cookies mean something: they start again with each boot, and may with each network namespace. */
    private static String kernel() throws IOException {
        String boot =
                Files.readAllLines(Path.of("/proc/sys/kernel/random/boot_id")).get(0);
        return boot + " " + Files.readSymbolicLink(Path.of("/proc/self/ns/net"));
    }

    /** How many of a socket's drops are counted already. Where nobody has noted it, that is all there are: whose they are is not known. */
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
