package io.millrace.bench.reference;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Sink with one direct buffer, which is written to a {@link FileChannel} when it is full. */
final class FileChannelSink extends LineSink {
    private static final int BUFFER_BYTES = 256 << 10;

    private final FileChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);

    private FileChannelSink(FileChannel channel) {
        this.channel = channel;
    }

    static FileChannelSink open(Path file) throws IOException {
        return new FileChannelSink(FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE));
    }

    @Override
    void writeLine(ByteBuffer payload, InetAddress source) throws IOException {
        if (buffer.remaining() <= payload.remaining()) {
            flush();
        }
        buffer.put(payload).put(LINE_FEED);
        countLine();
    }

    private void flush() throws IOException {
        buffer.flip();
        try {
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
        } finally {
            // Bytes that a full disk did not accept stay for the next flush.
            buffer.compact();
        }
    }

    @Override
    public void close() throws IOException {
        try (channel) {
            flush();
        }
    }
}
