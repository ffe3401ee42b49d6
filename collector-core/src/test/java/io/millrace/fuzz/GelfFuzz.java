package io.millrace.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.internal.format.JournalRecord;
import io.millrace.internal.format.JsonFormat;
import io.millrace.internal.gelf.ChunkAssembler;
import io.millrace.internal.gelf.Chunked;
import io.millrace.internal.gelf.Expander;
import io.millrace.internal.record.TestDatagram;
import io.millrace.message.InputRules;
import io.millrace.message.LineBuffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;

/** A payload, which may be compressed, and datagrams of 32 bytes, of which chunks are merged. */
public final class GelfFuzz extends FuzzTarget {
    private static final int DATAGRAM = 32;

    private final JournalRecord record =
            new JournalRecord(new InputRules(ZoneOffset.UTC, false, Expander.MAX_BYTES), Map.of(), true);
    private final JsonFormat format = new JsonFormat();
    private final Expander expander = new Expander();
    private final ObjectMapper json = new ObjectMapper();

    /** Made by name. */
    public GelfFuzz() {
        super("gelf");
    }

    @Override
    protected void take(byte[] bytes) throws IOException {
        written(bytes);
        if (Expander.isCompressed(bytes, 0, bytes.length)) {
            int limit = Expander.DEFAULT_BYTES;
            that(expander.expand(bytes, 0, bytes.length, limit).bytes().length <= limit, "limit");
        } else if (bytes.length > 0) {
            // What is inside of a compressed payload is more than a fuzzer finds by itself.
            JsonNode plain = written(bytes);
            JsonNode expanded = written(zlib(bytes));
            that(plain.equals(expanded), plain + " and " + expanded);
        }
        merge(bytes);
    }

    private JsonNode written(byte[] bytes) throws IOException {
        LineBuffer out = new LineBuffer();
        format.write(record.wrap(bytes, 0, bytes.length, MessageInput.NOW_NS), out);
        return json.readTree(out.toString());
    }

    /** Each chunk that was taken leaves once, and a complete message has the length of its chunks. */
    private static void merge(byte[] bytes) {
        ChunkAssembler assembler = new ChunkAssembler(64);
        int taken = 0;
        int left = 0;
        for (int at = 0; at < bytes.length; at += DATAGRAM) {
            byte[] datagram = new byte[Math.min(DATAGRAM, bytes.length - at)];
            System.arraycopy(bytes, at, datagram, 0, datagram.length);
            ChunkAssembler.Verdict verdict =
                    assembler.take(TestDatagram.of(datagram).view(), at * (long) (bytes[at] & 0xff) * 100_000);
            taken += verdict == ChunkAssembler.Verdict.TAKEN ? 1 : 0;
            left += left(assembler);
        }
        assembler.releaseAll();
        left += left(assembler);
        that(taken == left && assembler.bytes() == 0 && !assembler.isHolding(), taken + " taken, " + left + " left");
    }

    private static int left(ChunkAssembler assembler) {
        int left = 0;
        for (ChunkAssembler.Chunks each = assembler.next(); each != null; each = assembler.next()) {
            left += each.count();
            that(each.payloadBytes() <= 64 && each.count() <= each.size(), "size");
            each.copyPayload(new byte[each.payloadBytes()]);
            assembler.written();
        }
        return left;
    }

    private static byte[] zlib(byte[] plain) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (OutputStream stream = new DeflaterOutputStream(out)) {
            stream.write(plain);
        }
        return out.toByteArray();
    }

    @Override
    protected List<byte[]> seeds() throws IOException {
        byte[] message =
                ("{\"version\":\"1.1\",\"host\":\"web1\",\"short_message\":\"a \\\"b\\\" \\u00e4\",\"level\":3,"
                                + "\"timestamp\":1795255263.301,\"full_message\":\"c\\nd\",\"_user\":\"ann\",\"_n\":{\"m\":[1]}}")
                        .getBytes(UTF_8);
        ByteArrayOutputStream gzip = new ByteArrayOutputStream();
        try (OutputStream stream = new GZIPOutputStream(gzip)) {
            stream.write(message);
        }
        ByteArrayOutputStream chunks = new ByteArrayOutputStream();
        for (byte[] chunk :
                Chunked.of("three chunks of twenty bytes each, or less".getBytes(UTF_8), 7, DATAGRAM - 12)) {
            chunks.write(chunk);
        }
        return new ArrayList<>(List.of(message, gzip.toByteArray(), zlib(message), chunks.toByteArray()));
    }
}
