package io.millrace.bench.reference;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Sink with a memory-mapped file: no system call per line. The file is mapped and grown a chunk at a time; at the end it is
 * truncated after the last line. The JDK has no call to unmap, so earlier chunks are unmapped by the garbage collector.
 */
final class MappedSink extends LineSink {
    private static final int CHUNK_BYTES = 64 << 20;

    private final FileChannel channel;
    private final int chunkBytes;
    private MappedByteBuffer chunk;
    private long chunkAt;

    private MappedSink(FileChannel channel, int chunkBytes) throws IOException {
        this.channel = channel;
        this.chunkBytes = chunkBytes;
        this.chunk = channel.map(FileChannel.MapMode.READ_WRITE, 0, chunkBytes);
    }

    static MappedSink open(Path file) throws IOException {
        return open(file, CHUNK_BYTES);
    }

    /** A chunk has room for the longest line. */
    static MappedSink open(Path file, int chunkBytes) throws IOException {
        FileChannel channel = FileChannel.open(
                file,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        try {
            return new MappedSink(channel, chunkBytes);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    @Override
    void writeLine(ByteBuffer payload, InetAddress source) throws IOException {
        if (chunk.remaining() <= payload.remaining()) {
            long end = length();
            chunk = channel.map(FileChannel.MapMode.READ_WRITE, end, chunkBytes);
            chunkAt = end;
        }
        chunk.put(payload).put(LINE_FEED);
        countLine();
    }

    private long length() {
        return chunkAt + chunk.position();
    }

    @Override
    public void close() throws IOException {
        try (channel) {
            channel.truncate(length());
        }
    }
}
