package io.millrace.output;

import com.github.luben.zstd.ZstdOutputStream;
import io.millrace.output.internal.Libraries;
import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.GZIPOutputStream;

/** The compression of files, requests and objects. */
public enum Compression {
    /** No compression. */
    NONE(""),
    /** gzip, RFC 1952. */
    GZIP(".gz"),
    /** Zstandard, RFC 8878. It needs the library {@code com.github.luben:zstd-jni}. */
    ZSTD(".zst");

    private static final int BUFFER_BYTES = 64 << 10;

    private final String suffix;

    Compression(String suffix) {
        this.suffix = suffix;
    }

    /** The ending of the name of a compressed file; empty without compression. */
    public String suffix() {
        return suffix;
    }

    /** A stream that compresses to another one, which is closed with it. */
    public OutputStream to(OutputStream out) throws IOException {
        return switch (this) {
            case NONE -> out;
            case GZIP -> new GZIPOutputStream(out, BUFFER_BYTES);
            case ZSTD -> Zstd.to(out);
        };
    }

    /**
     * Checks that the library of this compression is on the class path.
     *
     * @throws IllegalStateException if it is not; the message names it
     */
    public void checkLibrary() {
        if (this == ZSTD) {
            Libraries.require(
                    "compression zstd", "com.github.luben.zstd.ZstdOutputStream", "com.github.luben:zstd-jni");
        }
    }

    /** A class of its own, so that the library is not needed without this compression. */
    private static final class Zstd {
        static OutputStream to(OutputStream out) throws IOException {
            return new ZstdOutputStream(out);
        }
    }
}
