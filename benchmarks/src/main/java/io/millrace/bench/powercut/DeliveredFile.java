package io.millrace.bench.powercut;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** The file of an output in JSON: the messages by shard and sequence number. A line without a line feed does not count. */
final class DeliveredFile {
    private static final byte[] SHARD = "\"shard\":".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] SEQUENCE = "\"sequence\":".getBytes(StandardCharsets.US_ASCII);

    private final MessageFormat format;
    private final ShardTable ids = new ShardTable();
    private final ShardTable ends = new ShardTable();
    private long lines;
    private long conflicts;

    private DeliveredFile(MessageFormat format) {
        this.format = format;
    }

    static DeliveredFile read(Path file, MessageFormat format) throws IOException {
        DeliveredFile delivered = new DeliveredFile(format);
        if (Files.exists(file)) {
            try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 20)) {
                delivered.readLines(in);
            }
        }
        return delivered;
    }

    private void readLines(InputStream in) throws IOException {
        Line line = new Line();
        long offset = 0;
        for (int c = in.read(); c >= 0; c = in.read()) {
            offset++;
            if (c == '\n') {
                add(line, offset);
                line.reset();
            } else {
                line.write(c);
            }
        }
    }

    private void add(Line line, long end) throws IOException {
        lines++;
        int shard = (int) line.number(SHARD);
        long sequence = line.number(SEQUENCE);
        long id = line.id(format);
        long before = ids.put(shard, sequence, id);
        if (before == ShardTable.ABSENT) {
            var unused = ends.put(shard, sequence, end);
        } else if (before != id) {
            conflicts++;
        }
    }

    /** A line, whose array can be read in place. */
    private static final class Line extends ByteArrayOutputStream {
        /** The number after a key. */
        long number(byte[] key) throws IOException {
            for (int at = 0; at + key.length < count; at++) {
                if (buf[at] == key[0] && Arrays.equals(buf, at, at + key.length, key, 0, key.length)) {
                    return digits(at + key.length);
                }
            }
            throw new IOException("a line of the output has no " + new String(key, StandardCharsets.US_ASCII) + ": "
                    + toString(StandardCharsets.UTF_8));
        }

        private long digits(int from) {
            long value = 0;
            for (int at = from; at < count && buf[at] >= '0' && buf[at] <= '9'; at++) {
                value = value * 10 + buf[at] - '0';
            }
            return value;
        }

        long id(MessageFormat format) {
            return format.idIn(buf, 0, count);
        }
    }

    ShardTable ids() {
        return ids;
    }

    /** The message with this number, if its line ended before an offset of the file. */
    long idBefore(long offset, int shard, long sequence) {
        long end = ends.get(shard, sequence);
        return end == ShardTable.ABSENT || end > offset ? ShardTable.ABSENT : ids.get(shard, sequence);
    }

    long lines() {
        return lines;
    }

    /** Lines with the shard and sequence number of another message. */
    long conflicts() {
        return conflicts;
    }
}
