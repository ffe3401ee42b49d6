package io.millrace.internal.gelf;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Payloads of tests, in chunks as a client of GELF sends them. */
public final class Chunked {
    private Chunked() {}

    /** The chunks of a payload. */
    public static List<byte[]> of(byte[] payload, long id, int chunkBytes) {
        int count = Math.max(1, (payload.length + chunkBytes - 1) / chunkBytes);
        List<byte[]> chunks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int length = Math.min(chunkBytes, payload.length - i * chunkBytes);
            chunks.add(ByteBuffer.allocate(12 + length)
                    .put((byte) 0x1e)
                    .put((byte) 0x0f)
                    .putLong(id)
                    .put((byte) i)
                    .put((byte) count)
                    .put(payload, i * chunkBytes, length)
                    .array());
        }
        return chunks;
    }
}
