package io.millrace.bench.reference;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes through a {@link BufferedOutputStream}. The payload must lie in an array. */
final class StreamSink implements LineSink {
    private static final int BUFFER_BYTES = 256 << 10;

    private final OutputStream out;
    private final ReceivedCount written = new ReceivedCount();

    private StreamSink(OutputStream out) {
        this.out = out;
    }

    static StreamSink open(Path file) throws IOException {
        return new StreamSink(new BufferedOutputStream(Files.newOutputStream(file), BUFFER_BYTES));
    }

    @Override
    public void writeLine(ByteBuffer payload, InetAddress source) throws IOException {
        out.write(payload.array(), payload.arrayOffset() + payload.position(), payload.remaining());
        out.write(LINE_FEED);
        written.add(1);
    }

    @Override
    public long written() {
        return written.get();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
