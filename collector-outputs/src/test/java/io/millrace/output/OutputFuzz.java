package io.millrace.output;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.fuzz.FuzzTarget;
import io.millrace.fuzz.HostileMessages;
import io.millrace.internal.deliver.TestBatch;
import io.millrace.internal.record.TestDatagram;
import io.millrace.message.InputRules;
import io.millrace.message.LineBuffer;
import io.millrace.message.LogRecord;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What an encoder of an output is fuzzed with: a byte that chooses settings, then a message, which lies between two others. */
public abstract class OutputFuzz extends FuzzTarget {
    private static final byte[] GOOD = "<34>1 2026-11-21T10:00:00Z host app - - - good".getBytes(UTF_8);

    private final LogRecord record = LogRecord.of(new InputRules(ZoneOffset.UTC, false), Map.of(), true);

    public OutputFuzz(String name) {
        super(name);
    }

    /** A message as if it had come as a datagram. */
    protected final LogRecord record(byte[] message, int sequence) {
        return record.wrap(TestDatagram.of(message).view(), "edge \"]\\", 2, sequence);
    }

    protected static byte[] message(byte[] bytes) {
        byte[] message = new byte[Math.max(0, bytes.length - 1)];
        System.arraycopy(bytes, Math.min(1, bytes.length), message, 0, message.length);
        return message;
    }

    protected static int choice(byte[] bytes) {
        return bytes.length == 0 ? 0 : bytes[0] & 0xff;
    }

    /** A good message, this one, and another good one; returns how many were not refused. */
    protected final int fill(TestBatch batch, byte[] message, TestBatch.Encoder encoder) {
        int taken = batch.add(record(GOOD, 1), encoder) ? 1 : 0;
        taken += batch.add(record(message, 2), encoder) ? 1 : 0;
        taken += batch.add(record(GOOD, 3), encoder) ? 1 : 0;
        that(taken >= 2, "a good message is refused");
        return taken;
    }

    protected static String text(LineBuffer buffer) {
        return new String(buffer.array(), 0, buffer.length(), UTF_8);
    }

    @Override
    protected int longest() {
        return 2048;
    }

    @Override
    protected List<byte[]> seeds() {
        HostileMessages hostile = new HostileMessages(1);
        List<byte[]> seeds = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            byte[] message = hostile.next("m");
            int length = Math.min(message.length, 1500);
            byte[] seed = new byte[length + 1];
            seed[0] = (byte) (37 * i);
            System.arraycopy(message, 0, seed, 1, length);
            seeds.add(seed);
        }
        return seeds;
    }
}
