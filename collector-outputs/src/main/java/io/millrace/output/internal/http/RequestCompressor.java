package io.millrace.output.internal.http;

import com.github.luben.zstd.Zstd;
import io.millrace.message.LineBuffer;
import io.millrace.output.Compression;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/**
 * Compression of requests, at low levels: for lines of JSON, gzip at its usual level takes three times the CPU time of level 2 for a seventh less
 * to send. One thread.
 */
final class RequestCompressor implements AutoCloseable {
    private static final int GZIP_LEVEL = 2;
    private static final int ZSTD_LEVEL = 1;

    /** RFC 1952, section 2.3: no name, no time, an unknown system. */
    private static final byte[] GZIP_HEADER = {0x1f, (byte) 0x8b, Deflater.DEFLATED, 0, 0, 0, 0, 0, 0, (byte) 0xff};

    private static final int GZIP_TRAILER = 8;

    private final Compression compression;
    private final CRC32 crc = new CRC32();
    private @Nullable Deflater open;
    private byte[] buffer = {};

    RequestCompressor(Compression compression) {
        this.compression = compression;
    }

    /** The compressed body, as a new array, because an abandoned request may still be read from. */
    byte[] compress(LineBuffer body) {
        return switch (compression) {
            case NONE -> Arrays.copyOf(body.array(), body.length());
            case GZIP -> gzip(body);
            case ZSTD -> zstd(body);
        };
    }

    private byte[] gzip(LineBuffer body) {
        Deflater deflater = open == null ? new Deflater(GZIP_LEVEL, true) : open;
        open = deflater;
        // What does not get smaller gets longer by five bytes per block.
        int most = GZIP_HEADER.length + body.length() + body.length() / 1_000 + 64 + GZIP_TRAILER;
        if (buffer.length < most) {
            buffer = new byte[most];
        }
        System.arraycopy(GZIP_HEADER, 0, buffer, 0, GZIP_HEADER.length);
        deflater.reset();
        deflater.setInput(body.array(), 0, body.length());
        deflater.finish();
        int length = GZIP_HEADER.length;
        while (!deflater.finished()) {
            int more = deflater.deflate(buffer, length, buffer.length - length);
            if (more == 0) {
                throw new IllegalStateException("gzip needs more than " + buffer.length + " bytes");
            }
            length += more;
        }
        crc.reset();
        crc.update(body.array(), 0, body.length());
        length = littleEndian((int) crc.getValue(), length);
        length = littleEndian(body.length(), length);
        return Arrays.copyOf(buffer, length);
    }

    private int littleEndian(int value, int offset) {
        for (int i = 0; i < Integer.BYTES; i++) {
            buffer[offset + i] = (byte) (value >>> (Byte.SIZE * i));
        }
        return offset + Integer.BYTES;
    }

    private byte[] zstd(LineBuffer body) {
        int most = (int) Zstd.compressBound(body.length());
        if (buffer.length < most) {
            buffer = new byte[most];
        }
        long length = Zstd.compressByteArray(buffer, 0, buffer.length, body.array(), 0, body.length(), ZSTD_LEVEL);
        return Arrays.copyOf(buffer, (int) length);
    }

    /** Releases native memory; what is compressed later takes new. */
    @Override
    public void close() {
        if (open != null) {
            open.end();
            open = null;
        }
    }
}
