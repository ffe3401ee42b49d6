package io.millrace.bench.check;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Reader of a file with one datagram per line. */
public final class LineFile {
    private static final int BUFFER_BYTES = 1 << 20;

    private LineFile() {}

    /** Gets each line. */
    public interface Handler {
        void onLine(byte[] bytes, int offset, int length);
    }

    /** Reads each line, without its line feed. A line longer than any datagram is split. */
    public static void read(Path file, Handler handler) throws IOException {
        byte[] bytes = new byte[BUFFER_BYTES];
        int held = 0;
        try (FileChannel in = FileChannel.open(file, StandardOpenOption.READ)) {
            while (true) {
                int read = in.read(ByteBuffer.wrap(bytes, held, bytes.length - held));
                if (read < 0) {
                    break;
                }
                int end = held + read;
                int next = lines(bytes, end, handler);
                if (next == 0 && end == bytes.length) {
                    handler.onLine(bytes, 0, end);
                    held = 0;
                } else {
                    System.arraycopy(bytes, next, bytes, 0, end - next);
                    held = end - next;
                }
            }
        }
        if (held > 0) {
            handler.onLine(bytes, 0, held);
        }
    }

    /** Passes the complete lines of a buffer on, and returns the offset after the last one. */
    static int lines(byte[] bytes, int end, Handler handler) {
        int start = 0;
        for (int i = 0; i < end; i++) {
            if (bytes[i] == '\n') {
                handler.onLine(bytes, start, i - start);
                start = i + 1;
            }
        }
        return start;
    }
}
