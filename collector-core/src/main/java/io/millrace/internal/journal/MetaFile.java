package io.millrace.internal.journal;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import io.millrace.internal.disk.Disk;
import io.millrace.internal.disk.DiskFile;
import io.millrace.journal.JournalMeta;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The file {@code meta.json} with the {@link JournalMeta} of a data directory. */
public final class MetaFile {
    /** The maximum number of inputs in a journal: the id has one byte. */
    public static final int MAX_INPUTS = 256;

    /** The maximum number of shards: the shard number has two bytes in a batch. */
    public static final int MAX_SHARDS = 65_536;

    /** The maximum file size, many times the size of 256 inputs. */
    private static final int MAX_BYTES = 1 << 20;

    private static final long FORMAT = 1;

    /** Escapes the halves of surrogate pairs that stand alone, which UTF-8 does not have. */
    private static final JsonFactory JSON =
            JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private MetaFile() {}

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
        if (Disk.of(file).exists(file)) {
            return read(file);
        }
        refuseExistingFiles(file);
        JournalMeta meta = new JournalMeta(
                new SecureRandom().nextLong(),
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                0,
                List.of());
        save(meta, file);
        return meta;
    }

    private static JournalMeta read(Path file) throws IOException {
        try (JsonParser json = JSON.createParser(text(file))) {
            Map<String, String> fields = new HashMap<>();
            List<String> inputs = new ArrayList<>();
            start(json, JsonToken.START_OBJECT);
            for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
                if (name.equals("inputs")) {
                    start(json, JsonToken.START_ARRAY);
                    while (json.nextToken() == JsonToken.START_OBJECT) {
                        inputs.add(input(json, inputs.size()));
                    }
                    if (json.currentToken() != JsonToken.END_ARRAY) {
                        throw new IllegalArgumentException("'inputs' accepts objects, not '" + json.getText() + "'");
                    }
                    fields.put(name, "");
                } else {
                    addField(json, name, fields);
                }
                if (name.equals("format") && number(fields, name) != FORMAT) {
                    throw new IOException(file + " has format " + fields.get(name) + "; this Millrace supports format "
                            + FORMAT + ": use the version that wrote it, or a later one");
                }
            }
            if (json.nextToken() != null) {
                throw new IllegalArgumentException("there is text after its end");
            }
            number(fields, "format");
            required(fields, "inputs");
            return new JournalMeta(
                    Long.parseUnsignedLong(required(fields, "journalId"), 16),
                    required(fields, "created"),
                    shards(fields),
                    List.copyOf(inputs));
        } catch (JsonProcessingException e) {
            throw damaged(file, e.getOriginalMessage(), e);
        } catch (IllegalArgumentException e) {
            throw damaged(file, e.getMessage(), e);
        }
    }

    private static void start(JsonParser json, JsonToken token) throws IOException {
        if (json.nextToken() != token) {
            throw new IllegalArgumentException("expected " + token.asString() + ", not '" + json.getText() + "'");
        }
    }

    /** Reads the rest of an input's object. */
    private static String input(JsonParser json, int id) throws IOException {
        Map<String, String> fields = new HashMap<>();
        for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
            addField(json, name, fields);
        }
        if (number(fields, "id") != id) {
            throw new IllegalArgumentException("inputs must have the ids 0, 1, 2 … in this order");
        }
        return required(fields, "name");
    }

    private static void addField(JsonParser json, String name, Map<String, String> fields) throws IOException {
        if (json.nextToken().isScalarValue() && json.currentToken() != JsonToken.VALUE_NULL) {
            fields.put(name, json.getText());
        }
        json.skipChildren();
    }

    private static int shards(Map<String, String> fields) {
        long shards = number(fields, "shards");
        if (shards < 0 || shards > MAX_SHARDS) {
            throw new IllegalArgumentException("'shards' accepts 0 to " + MAX_SHARDS + ", not " + shards);
        }
        return (int) shards;
    }

    private static String text(Path file) throws IOException {
        try {
            if (Disk.of(file).size(file) > MAX_BYTES) {
                throw new IOException("it has " + Disk.of(file).size(file) + " bytes; the maximum is " + MAX_BYTES);
            }
            return Disk.of(file).readString(file, StandardCharsets.UTF_8);
        } catch (FileSystemException e) {
            throw e; // It names the file itself.
        } catch (CharacterCodingException e) {
            throw damaged(file, "it is not UTF-8", e);
        } catch (IOException e) {
            throw new IOException(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static IOException damaged(Path file, @Nullable String why, Exception e) {
        return new IOException(file + " is damaged: " + why + "; restore it, or start with another data directory", e);
    }

    private static String required(Map<String, String> fields, String name) {
        String value = fields.get(name);
        if (value == null) {
            throw new IllegalArgumentException("'" + name + "' is missing");
        }
        return value;
    }

    private static long number(Map<String, String> fields, String name) {
        return Long.parseLong(required(fields, name));
    }

    /** Writes the metadata to a new file, syncs it, and renames it. So a crash leaves the old or the new file. */
    public static void save(JournalMeta meta, Path file) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = JSON.createGenerator(bytes)) {
            json.writeStartObject();
            json.writeNumberField("format", FORMAT);
            json.writeStringField("journalId", String.format("%016x", meta.journalId()));
            json.writeStringField("created", meta.created());
            json.writeNumberField("shards", meta.shards());
            json.writeArrayFieldStart("inputs");
            for (int id = 0; id < meta.inputs().size(); id++) {
                json.writeStartObject();
                json.writeNumberField("id", id);
                json.writeStringField("name", meta.inputs().get(id));
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
            json.writeRaw('\n');
        }

        Path temporary = file.resolveSibling(file.getFileName() + ".new");
        Disk disk = Disk.of(file);
        disk.deleteIfExists(temporary);
        try (DiskFile channel = disk.open(
                temporary, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), PrivateFiles.FILE)) {
            channel.writeFully(ByteBuffer.wrap(bytes.toByteArray()), 0);
            channel.sync(true);
        }
        disk.rename(temporary, file);
        disk.sync(file.toAbsolutePath().resolveSibling(""));
    }

    /** The metadata with further inputs, and at least so many shards. */
    static JournalMeta with(JournalMeta meta, List<String> names, int runShards) throws IOException {
        List<String> all = new ArrayList<>(meta.inputs());
        for (String name : names) {
            if (!all.contains(name)) {
                all.add(name);
            }
        }
        if (all.size() > MAX_INPUTS) {
            throw new IOException("a journal supports at most " + MAX_INPUTS + " inputs over its life, but would have "
                    + all.size() + ": start with another data directory");
        }
        return new JournalMeta(meta.journalId(), meta.created(), Math.max(meta.shards(), runShards), List.copyOf(all));
    }
}
