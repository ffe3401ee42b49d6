package io.millrace.internal.transport.relp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.millrace.internal.transport.framing.FrameSink;
import io.millrace.internal.transport.framing.FramingCounts;
import io.millrace.internal.transport.framing.RemainderPool;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/** Feeds a decoder with a stream in pieces, and compares what it finds and answers with {@link RelpModel}. */
final class RelpChecks {
    private static final long EVERY_BATCH = Long.MAX_VALUE;

    private final ByteBuffer memory;
    private final RemainderPool pool = new RemainderPool();

    RelpChecks(int maxBytes) {
        memory = ByteBuffer.allocateDirect(maxBytes + 8).order(ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Compares.
     *
     * @param piece the length of each piece, from 1
     * @param refuses whether the sink has no room, called for each message; must not always be true
     * @param answers whether all batches become safe after a piece, called for each piece
     * @return what is different; empty if nothing is
     */
    String difference(int max, byte[] stream, IntSupplier piece, BooleanSupplier refuses, BooleanSupplier answers) {
        RelpModel model = new RelpModel(max, stream);
        FramingCounts counts = new FramingCounts();
        RelpAnswers pending = new RelpAnswers();
        long[] batch = {0};
        RelpDecoder decoder = new RelpDecoder(max, pool, counts, pending, () -> batch[0]);
        List<String> found = new ArrayList<>();
        ByteBuf answered = Unpooled.buffer();
        FrameSink sink = (from, offset, length, original, marks) -> {
            if (refuses.getAsBoolean()) {
                return false;
            }
            byte[] bytes = new byte[length];
            from.get(offset, bytes);
            found.add(RelpModel.text(new String(bytes, ISO_8859_1), original, marks));
            return true;
        };
        int at = 0;
        long acknowledged = 0;
        while (at < stream.length) {
            int length = Math.min(piece.getAsInt(), stream.length - at);
            memory.put(3, stream, at, length);
            int taken = 3;
            while (taken < 3 + length) {
                taken = decoder.take(memory, taken, 3 + length, sink);
                if (pending.isFull()) {
                    acknowledged += pending.write(EVERY_BATCH, answered);
                }
            }
            at += length;
            long all = counts.payloadBytes + counts.framingBytes + counts.skippedBytes + decoder.pending();
            if (all != at) {
                return at + " bytes were read, and " + all + " are accounted for";
            }
            if (decoder.memoryBytes() > 4096) {
                return decoder.memoryBytes() + " bytes are kept";
            }
            batch[0]++;
            if (answers.getAsBoolean()) {
                acknowledged += pending.write(batch[0] - 1, answered);
            }
        }
        acknowledged += pending.write(EVERY_BATCH, answered);
        decoder.end(sink);
        if (decoder.memoryBytes() != 0) {
            return "memory is kept after the end";
        }
        String expected =
                said(model.messages, model.payload, model.skipped, model.errors, model.acknowledged, model.answers);
        String got = said(
                found,
                counts.payloadBytes,
                counts.skippedBytes,
                counts.errors,
                acknowledged,
                answered.toString(ISO_8859_1));
        return got.equals(expected) && counts.messages == found.size()
                ? ""
                : "expected " + expected + "\nbut got  " + got;
    }

    private static String said(
            List<String> messages, long payload, long skipped, long errors, long acknowledged, String answers) {
        return messages + " payload " + payload + " skipped " + skipped + " errors " + errors + " acknowledged "
                + acknowledged + " answers " + answers;
    }
}
