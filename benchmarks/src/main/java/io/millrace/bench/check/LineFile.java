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

    /** Adds each line to the check, without its line feed. A line longer than any datagram is split. */
    public static void read(Path file, RunCheck check) throws IOException {
        byte[] bytes = new byte[BUFFER_BYTES];
        int held = 0;
        try (FileChannel in = FileChannel.open(file, StandardOpenOption.READ)) {
            while (true) {
                int read = in.read(ByteBuffer.wrap(bytes, held, bytes.length - held));
                if (read < 0) {
                    break;
                }
                int end = held + read;
                int next = check.addLines(bytes, end);
                if (next == 0 && end == bytes.length) {
                    check.add(bytes, 0, end);
                    held = 0;
                } else {
                    System.arraycopy(bytes, next, bytes, 0, end - next);
                    held = end - next;
                }
            }
        }
        if (held > 0) {
            check.add(bytes, 0, held);
        }
    }
}
