package io.millrace.output.s3;

import io.millrace.message.LineBuffer;
import io.millrace.message.LineFormat;
import io.millrace.message.LogRecord;
import io.millrace.output.Compression;
import io.millrace.output.internal.name.NameLimit;
import io.millrace.output.internal.name.NameTemplate;
import io.millrace.sink.Adjustment;
import io.millrace.sink.Sink;
import io.millrace.sink.SinkBatch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The sink that puts objects into a bucket, one line per record. A batch is complete once the server has all its objects; only then does
 * the position move. So nothing of an object is kept on disk: what has not arrived is read from the journal again.
 *
 * <p>Each answer but a success is an error of the destination, because it is about the bucket, the key or the server, and never about a
 * message. The objects that have arrived are not put again, the others are, under the same names.
 */
final class S3Sink implements Sink {
    /** Objects that are put at the same time. */
    private static final int MAX_UPLOADS = 8;

    private static final int MAX_KEY_LENGTH = 1024;

    private final String output;
    private final S3Bucket bucket;
    private final LineFormat format;
    private final NameTemplate prefix;
    private final NameLimit limit;
    private final Compression compression;
    private final String suffix;
    private final String contentType;
    private final LongAdder renamed = new LongAdder();
    private NameTemplate.@Nullable Name lastName;
    private String lastPrefix = "";

    private record Pending(S3Object object, S3Bucket.Upload upload) {}

    /**
     * Creates the sink, which connects on demand.
     *
     * @param output the name of the output, which is a part of the names of objects
     * @param limit the limit of prefixes from messages
     */
    S3Sink(
            String output,
            S3Bucket bucket,
            LineFormat format,
            NameTemplate prefix,
            NameLimit limit,
            Compression compression) {
        this.output = output;
        this.bucket = bucket;
        this.format = format;
        this.prefix = prefix;
        this.limit = limit;
        this.compression = compression;
        boolean json = format.isJson();
        this.suffix = (json ? ".ndjson" : ".log") + compression.suffix();
        this.contentType = switch (compression) {
            case NONE -> json ? "application/x-ndjson" : "text/plain";
            case GZIP -> "application/gzip";
            case ZSTD -> "application/zstd";
        };
    }

    @Override
    public Object encode(LogRecord record, LineBuffer out) {
        format.write(record, out);
        NameTemplate.Name name = prefix.of(record);
        if (!name.equals(lastName)) {
            lastName = name;
            lastPrefix = isUsable(name) ? name.text() : name.other();
        }
        if (!name.isOther() && lastPrefix.equals(name.other())) {
            renamed.increment();
        }
        return lastPrefix;
    }

    private boolean isUsable(NameTemplate.Name name) {
        return name.isOther()
                || !prefix.isOfMessages()
                || (name.text().length() <= maxPrefixLength() && limit.admits(name.fields()));
    }

    static int maxPrefixLength() {
        return MAX_KEY_LENGTH - S3Object.MAX_NAME_LENGTH - ".ndjson.zst".length();
    }

    @Override
    public long adjusted(Adjustment how) {
        return how == Adjustment.RENAMED ? renamed.sum() : 0;
    }

    @Override
    public void send(SinkBatch batch) throws IOException, InterruptedException {
        Deque<Pending> pending = new ArrayDeque<>();
        try {
            for (S3Object object : S3Object.of(batch)) {
                if (pending.size() == MAX_UPLOADS) {
                    await(pending.remove());
                }
                pending.add(new Pending(object, bucket.put(object.name(output) + suffix, contentType, body(object))));
            }
            while (!pending.isEmpty()) {
                await(pending.remove());
            }
        } catch (IOException e) {
            throw new IOException(bucket + ": " + e.getMessage(), e);
        } finally {
            pending.forEach(each -> each.upload().cancel());
        }
        batch.done();
    }

    private static void await(Pending pending) throws IOException, InterruptedException {
        pending.upload().await();
        pending.object().accept();
    }

    /** A copy, because an abandoned request may still be read from. */
    private byte[] body(S3Object object) throws IOException {
        int length = object.byteCount();
        ByteArrayOutputStream bytes =
                new ByteArrayOutputStream(compression == Compression.NONE ? length : length / 8 + 64);
        try (OutputStream out = compression.to(bytes)) {
            object.writeTo(out);
        }
        return bytes.toByteArray();
    }

    @Override
    public void refresh() {
        bucket.refresh();
    }

    @Override
    public void close() {
        bucket.close();
    }
}
