package io.millrace.internal.transport.framing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.millrace.collector.StreamSettings.Framing;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/** Feeds a framer with a stream in pieces, and compares what it finds with {@link FramerModel}. */
final class FramerChecks {
    /** The test streams announce no more that holds lines. */
    private static final int MAX_COUNT_IN_STREAM = 2000;

    private final ByteBuffer memory;
    private final RemainderPool pool = new RemainderPool();

    FramerChecks(int maxBytes) {
        memory = ByteBuffer.allocateDirect(maxBytes + 8).order(ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Compares.
     *
     * @param piece the length of each piece, from 1
     * @param refuses whether the sink has no room, called for each message; must not always be true
     * @param passesOn whether another framer continues after a piece, called for each piece
     * @return what is different; empty if nothing is
     */
    String difference(
            Framing mode,
            int max,
            byte[] stream,
            IntSupplier piece,
            BooleanSupplier refuses,
            BooleanSupplier passesOn) {
        FramerModel model = FramerModel.of(mode, max, stream);
        FramingCounts counts = new FramingCounts();
        Framer framer = new Framer(mode, max, pool, counts);
        List<String> found = new ArrayList<>();
        FrameSink sink = (from, offset, length, original, marks) -> {
            if (refuses.getAsBoolean()) {
                return false;
            }
            byte[] bytes = new byte[length];
            from.get(offset, bytes);
            found.add(FramerModel.text(new String(bytes, ISO_8859_1), original, marks));
            return true;
        };
        int at = 0;
        while (at < stream.length) {
            int length = Math.min(piece.getAsInt(), stream.length - at);
            memory.put(3, stream, at, length);
            int taken = 3;
            while (taken < 3 + length) {
                taken = framer.take(memory, taken, 3 + length, sink);
            }
            at += length;
            long all = counts.payloadBytes + counts.framingBytes + counts.skippedBytes + framer.pending();
            if (all != at) {
                return at + " bytes were read, and " + all + " are accounted for";
            }
            // Twice while lines are taken that a wrong count had announced.
            if (framer.memoryBytes() > 2 * Math.max(Math.max(max, MAX_COUNT_IN_STREAM) + Unit.MAX_START_BYTES, 256)) {
                return framer.memoryBytes() + " bytes are kept";
            }
            if (passesOn.getAsBoolean()) {
                framer = passOn(framer, new Framer(mode, max, pool, counts));
            }
        }
        while (!framer.end(sink)) {
            // Again.
        }
        if (framer.memoryBytes() != 0 || pool.usedBytes() != 0) {
            return "after the end " + framer.memoryBytes() + " bytes are kept, and " + pool.usedBytes() + " are used";
        }
        String expected = said(model.messages, model.payload, model.framing, model.skipped, model.errors);
        String got = said(found, counts.payloadBytes, counts.framingBytes, counts.skippedBytes, counts.errors);
        return got.equals(expected) && counts.messages == found.size()
                ? ""
                : "expected " + expected + "\nbut got  " + got;
    }

    private static Framer passOn(Framer from, Framer to) {
        try {
            ByteArrayOutputStream state = new ByteArrayOutputStream();
            int saved = from.save(new DataOutputStream(state));
            int restored = to.restore(new DataInputStream(new ByteArrayInputStream(state.toByteArray())));
            if (saved != restored || from.memoryBytes() != 0) {
                throw new IllegalStateException(saved + " bytes were saved, and " + restored + " restored");
            }
            return to;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String said(List<String> messages, long payload, long framing, long skipped, long errors) {
        return messages + " payload " + payload + " framing " + framing + " skipped " + skipped + " errors " + errors;
    }
}
