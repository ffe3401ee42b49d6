package io.millrace.bench.reference;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/** Sink with a {@link BufferedOutputStream}. The payload must be backed by an array. */
final class StreamSink extends LineSink {
    private static final int BUFFER_BYTES = 256 << 10;

    private final OutputStream out;

    private StreamSink(OutputStream out) {
        this.out = out;
    }

    static StreamSink open(Path file) throws IOException {
        return new StreamSink(new BufferedOutputStream(Files.newOutputStream(file), BUFFER_BYTES));
    }

    @Override
    void writeLine(ByteBuffer payload, InetAddress source) throws IOException {
        out.write(payload.array(), payload.arrayOffset() + payload.position(), payload.remaining());
        out.write(LINE_FEED);
        countLine();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
