package io.millrace.output.s3;

import io.millrace.sink.SinkBatch;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;

/** The records of a batch that become one object: those of a prefix and a shard. */
final class S3Object {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    /** What the longest name has beyond its prefix and suffix: a time, an output, a journal id, a shard, twice a sequence with a part, a hash. */
    static final int MAX_NAME_LENGTH = 16 + 1 + 64 + 1 + 16 + 1 + 10 + 2 * (1 + 19 + 1 + 10) + 1 + 8;

    private final SinkBatch batch;
    private final String prefix;
    private int[] records = new int[16];
    private int count;
    private int first;
    private int last;

    private record Group(String prefix, int shard) {}

    private S3Object(SinkBatch batch, String prefix) {
        this.batch = batch;
        this.prefix = prefix;
    }

    /** The objects of the open records of a batch, whose tags are their prefixes. */
    static Collection<S3Object> of(SinkBatch batch) {
        Map<Group, S3Object> objects = new LinkedHashMap<>();
        for (int i = 0; i < batch.size(); i++) {
            if (batch.isOpen(i)) {
                String prefix = (String) Objects.requireNonNull(batch.tag(i));
                objects.computeIfAbsent(new Group(prefix, batch.shard(i)), group -> new S3Object(batch, prefix))
                        .add(i);
            }
        }
        return objects.values();
    }

    private void add(int record) {
        if (count == records.length) {
            records = Arrays.copyOf(records, 2 * count);
        }
        first = count == 0 || compare(record, first) < 0 ? record : first;
        last = count == 0 || compare(record, last) > 0 ? record : last;
        records[count++] = record;
    }

    /** A summary of repeats has the identity of an earlier message. */
    private int compare(int record, int other) {
        int bySequence = Long.compare(batch.sequence(record), batch.sequence(other));
        return bySequence != 0 ? bySequence : Integer.compare(batch.part(record), batch.part(other));
    }

    /**
     * The name: the prefix, the time of the first record, the output, the identities from the first to the last, and a hash of all of
     * them. Two objects of the same name have the same messages of the same output, so one may replace the other.
     */
    String name(String output) {
        long ns = batch.receiveTimeNs(first);
        return prefix + TIME.format(Instant.ofEpochSecond(TimeUnit.NANOSECONDS.toSeconds(ns))) + "-" + output + "-"
                + HexFormat.of().toHexDigits(batch.journalId()) + "-" + batch.shard(first) + "-" + identity(first)
                + "-" + identity(last) + "-" + HexFormat.of().toHexDigits(hash());
    }

    private int hash() {
        CRC32C hash = new CRC32C();
        ByteBuffer identity = ByteBuffer.allocate(Long.BYTES + Integer.BYTES);
        for (int i = 0; i < count; i++) {
            hash.update(identity.clear()
                    .putLong(batch.sequence(records[i]))
                    .putInt(batch.part(records[i]))
                    .flip());
        }
        return (int) hash.getValue();
    }

    private String identity(int record) {
        int part = batch.part(record);
        return batch.sequence(record) + (part == SinkBatch.NO_PART ? "" : "." + part);
    }

    void writeTo(OutputStream out) throws IOException {
        int i = 0;
        while (i < count) {
            int end = i + 1;
            while (end < count && records[end] == records[end - 1] + 1) {
                end++;
            }
            int begin = batch.begin(records[i]);
            out.write(batch.array(), begin, batch.end(records[end - 1]) - begin);
            i = end;
        }
    }

    /** The number of bytes that {@link #writeTo} writes. */
    int byteCount() {
        int bytes = 0;
        for (int i = 0; i < count; i++) {
            bytes += batch.end(records[i]) - batch.begin(records[i]);
        }
        return bytes;
    }

    /** The destination has the object. */
    void accept() {
        for (int i = 0; i < count; i++) {
            batch.accept(records[i]);
        }
    }
}
