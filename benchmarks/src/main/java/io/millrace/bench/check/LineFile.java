package io.millrace.bench.check;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file with a datagram a line, as every receiver but Millrace leaves it. */
public final class LineFile {
    private static final int BUFFER_BYTES = 1 << 20;

    private LineFile() {}

    /** Feeds each line to the check, without its newline. A line longer than a datagram can be is taken in pieces. */
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
                int rest = lines(bytes, end, check);
                if (rest == 0 && end == bytes.length) {
                    check.add(bytes, 0, end);
                    held = 0;
                } else {
                    System.arraycopy(bytes, rest, bytes, 0, end - rest);
                    held = end - rest;
                }
            }
        }
        if (held > 0) {
            check.add(bytes, 0, held);
        }
    }

    /** Feeds all whole lines; where the first byte after them is. */
    private static int lines(byte[] bytes, int end, RunCheck check) {
        int start = 0;
        for (int i = 0; i < end; i++) {
            if (bytes[i] == '\n') {
                check.add(bytes, start, i - start);
                start = i + 1;
            }
        }
        return start;
    }
}
