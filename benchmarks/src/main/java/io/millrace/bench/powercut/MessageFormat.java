package io.millrace.bench.powercut;

import io.millrace.sender.payload.SequencePayload;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The syslog messages of the test: each has the number of its source and its own. One thread. */
final class MessageFormat {
    /** The length of a message, in bytes. */
    static final int BYTES = 125;

    private static final byte[] HEADER = "<13>Nov 24 10:00:00 bench app: ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] PADDING =
            SequencePayload.padding(BYTES - HEADER.length).getBytes(StandardCharsets.US_ASCII);

    private final int runId;
    private final SequencePayload payload = new SequencePayload();

    MessageFormat(int runId) {
        this.runId = runId;
    }

    /** Puts a message into a buffer with an array. */
    void put(ByteBuffer buffer, int source, int number) {
        buffer.put(HEADER);
        int at = buffer.position();
        buffer.position(at + SequencePayload.LENGTH);
        SequencePayload.encode(buffer.array(), buffer.arrayOffset() + at, runId, source, number, 0);
        buffer.put(PADDING);
    }

    /** The identity of a message whose bytes are exactly as sent; {@link MessageId#OTHER} if they are not. */
    long idOfWhole(byte[] bytes, int length) {
        if (length != BYTES || !payload.decode(bytes, HEADER.length, BYTES - HEADER.length) || !isThisRun()) {
            return MessageId.OTHER;
        }
        int padding = HEADER.length + SequencePayload.LENGTH;
        boolean same = Arrays.equals(bytes, 0, HEADER.length, HEADER, 0, HEADER.length)
                && Arrays.equals(bytes, padding, BYTES, PADDING, 0, PADDING.length);
        return same ? MessageId.of(payload.source(), (int) payload.sequence()) : MessageId.OTHER;
    }

    /** The identity of a message in a line; {@link MessageId#OTHER} if there is none. */
    long idIn(byte[] line, int from, int length) {
        return payload.find(line, from, length, runId)
                ? MessageId.of(payload.source(), (int) payload.sequence())
                : MessageId.OTHER;
    }

    private boolean isThisRun() {
        return payload.runId() == Integer.toUnsignedLong(runId);
    }
}
