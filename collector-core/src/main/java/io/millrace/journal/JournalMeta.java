package io.millrace.journal;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.wire.JSONWire;

/**
 * The metadata of a journal, stored in {@code meta.json}.
 *
 * @param journalId the random id of the journal
 * @param created the creation time in ISO 8601
 * @param shards the number of shards that were ever written; they are numbered from 0
 * @param inputs the names of the inputs by their id; append-only, an id is never reused
 */
public record JournalMeta(long journalId, String created, int shards, List<String> inputs) {
    /** The maximum number of inputs in a journal: the id has one byte. */
    public static final int MAX_INPUTS = 256;

    /** The maximum number of shards: the shard number has two bytes in a batch. */
    public static final int MAX_SHARDS = 65_536;

    /** The maximum file size, many times the size of 256 inputs. */
    private static final int MAX_BYTES = 1 << 20;

    private static final long FORMAT = 1;

    /** Reads the metadata of a data directory. */
    public static JournalMeta load(Path dataDirectory) throws IOException {
        return read(JournalPaths.metaPath(dataDirectory));
    }

    /** Refuses to create new metadata for an existing journal: its batches would not match the new journal id. */
    private static void refuseExistingFiles(Path file) throws IOException {
        Path shard = JournalPaths.shardPath(file.resolveSibling(""), 0);
        if (!JournalPaths.files(shard).isEmpty()) {
            throw new IOException(file + " is missing, but there is a journal in " + shard
                    + ": restore it, or start with another data directory");
        }
    }

    static JournalMeta loadOrCreate(Path file) throws IOException {
        if (Files.exists(file)) {
            return read(file);
        }
        refuseExistingFiles(file);
        JournalMeta meta = new JournalMeta(
                new SecureRandom().nextLong(),
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                0,
                List.of());
        meta.save(file);
        return meta;
    }

    private static JournalMeta read(Path file) throws IOException {
        String text = text(file);
        try {
            Map<?, ?> fields = (Map<?, ?>)
                    new JSONWire(Bytes.from(ascii(text))).getValueIn().object();
            long format = number(fields, "format");
            if (format != FORMAT) {
                throw new IOException(file + " has format " + format + "; this Millrace supports format " + FORMAT
                        + ": use the version that wrote it, or a later one");
            }
            List<String> inputs = new ArrayList<>();
            for (Object input : (List<?>) required(fields, "inputs")) {
                Map<?, ?> entry = (Map<?, ?>) input;
                if (number(entry, "id") != inputs.size()) {
                    throw new IOException(file + ": inputs must have the ids 0, 1, 2 … in this order");
                }
                inputs.add(name(entry));
            }
            return new JournalMeta(
                    Long.parseUnsignedLong((String) required(fields, "journalId"), 16),
                    (String) required(fields, "created"),
                    shards(fields),
                    List.copyOf(inputs));
        } catch (RuntimeException e) {
            throw damaged(file, e);
        }
    }

    private static int shards(Map<?, ?> fields) {
        long shards = number(fields, "shards");
        if (shards < 0 || shards > MAX_SHARDS) {
            throw new IllegalArgumentException("'shards' takes 0 to " + MAX_SHARDS + ", not " + shards);
        }
        return (int) shards;
    }

    private static String text(Path file) throws IOException {
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw new IOException("it has " + Files.size(file) + " bytes; the maximum is " + MAX_BYTES);
            }
            return Files.readString(file);
        } catch (FileSystemException e) {
            throw e; // It names the file itself.
        } catch (CharacterCodingException e) {
            throw damaged(file, e);
        } catch (IOException e) {
            throw new IOException(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static IOException damaged(Path file, Exception e) {
        return new IOException(file + " is damaged: " + e + "; restore it, or start with another data directory", e);
    }

    /** Reads the name. The parser converts the strings "true", "false" and "null" to their values without quotes. */
    private static String name(Map<?, ?> entry) {
        return entry.containsKey("name") ? String.valueOf(entry.get("name")) : (String) required(entry, "name");
    }

    private static Object required(Map<?, ?> fields, String name) {
        Object value = fields.get(name);
        if (value == null) {
            throw new IllegalArgumentException("'" + name + "' is missing");
        }
        return value;
    }

    private static long number(Map<?, ?> fields, String name) {
        return ((Number) required(fields, name)).longValue();
    }

    /** Writes the metadata to a new file, syncs it, and renames it. So a crash leaves the old or the new file. */
    public void save(Path file) throws IOException {
        StringBuilder json = new StringBuilder();
        json.append("{\"format\":").append(FORMAT);
        json.append(",\"journalId\":").append(quoted(String.format("%016x", journalId)));
        json.append(",\"created\":").append(quoted(created));
        json.append(",\"shards\":").append(shards);
        json.append(",\"inputs\":[");
        for (int id = 0; id < inputs.size(); id++) {
            json.append(id == 0 ? "" : ",").append("{\"id\":").append(id);
            json.append(",\"name\":").append(quoted(inputs.get(id))).append('}');
        }
        json.append("]}\n");

        Path temporary = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(temporary);
        try (FileChannel channel = FileChannel.open(
                temporary, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), PrivateFiles.FILE)) {
            channel.write(StandardCharsets.US_ASCII.encode(ascii(json.toString())));
            channel.force(true);
        }
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        try (FileChannel directory =
                FileChannel.open(file.toAbsolutePath().resolveSibling(""), StandardOpenOption.READ)) {
            directory.force(true);
        }
    }

    private static String quoted(String text) {
        StringBuilder json = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ') {
                json.append(String.format("\\u%04x", (int) c));
            } else {
                json.append(c == '"' || c == '\\' ? "\\" : "").append(c);
            }
        }
        return json.append('"').toString();
    }

    /** Escapes all non-ASCII characters: Chronicle's parser does not accept all of UTF-8. */
    private static String ascii(String json) {
        StringBuilder ascii = new StringBuilder();
        for (int i = 0; i < json.length(); i++) {
            char c = json.charAt(i);
            ascii.append(c <= '~' ? String.valueOf(c) : String.format("\\u%04x", (int) c));
        }
        return ascii.toString();
    }

    JournalMeta with(List<String> names, int runShards) throws IOException {
        List<String> all = new ArrayList<>(inputs);
        for (String name : names) {
            if (!all.contains(name)) {
                all.add(name);
            }
        }
        if (all.size() > MAX_INPUTS) {
            throw new IOException("a journal supports at most " + MAX_INPUTS + " inputs over its life, but would have "
                    + all.size() + ": start with another data directory");
        }
        return new JournalMeta(journalId, created, Math.max(shards, runShards), List.copyOf(all));
    }

    int inputId(String name) {
        return inputs.indexOf(name);
    }

    /** The name of an input, or its number if the id is unknown. */
    public String inputName(int id) {
        return id < inputs.size() ? inputs.get(id) : "#" + id;
    }
}
