package io.millrace.sender.command;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The messages of a journal as a capture file, which the program {@code millrace read} writes: the load generator shares no code with
 * the collector that it tests.
 */
final class JournalCapture {
    /** The script that has started this program. */
    private static final String SCRIPT = "millrace.script";

    /** The header of a capture. */
    private static final int EMPTY_BYTES = 24;

    private static final int COPY_BYTES = 256 << 10;

    private JournalCapture() {}

    /** Uses the capture. */
    interface Use<T> {
        T of(Path capture) throws IOException;
    }

    /**
     * Writes a capture, which is deleted after its use. A file that is mapped then stays readable.
     *
     * @param data the data directory of a collector
     * @throws IOException if it has no journal that can be read
     */
    static <T> T with(Path data, Use<T> use) throws IOException {
        String script = System.getProperty(SCRIPT);
        if (script == null) {
            throw new IOException("--replay needs the script millrace, which reads the journal: run 'millrace send'");
        }
        Path capture = Files.createTempFile("millrace-replay", ".pcap");
        capture.toFile().deleteOnExit();
        List<String> command =
                List.of(script, "read", "--data", data.toString(), "--order", "time", "--format", "pcap");
        Process read = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            copy(read.getInputStream(), capture, data);
            int code = read.waitFor();
            if (code != 0) {
                throw new IOException("the journal in " + data + " could not be read (exit code " + code + ")");
            }
            if (Files.size(capture) <= EMPTY_BYTES) {
                throw new IOException("the journal in " + data + " has no messages");
            }
            return use.of(capture);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            read.destroy();
            Files.deleteIfExists(capture);
        }
    }

    /** Copies no more than a capture may have: a journal can be larger than the disk of temporary files. */
    private static void copy(InputStream from, Path to, Path data) throws IOException {
        byte[] bytes = new byte[COPY_BYTES];
        long left = Integer.MAX_VALUE;
        try (OutputStream out = Files.newOutputStream(to)) {
            for (int count = from.read(bytes); count >= 0; count = from.read(bytes)) {
                left -= count;
                if (left < 0) {
                    throw new IOException(
                            "the journal in " + data + " has more than 2 GiB of messages: write a part of it, with"
                                    + " 'millrace read --order time --since TIME --until TIME --format pcap > FILE', and send that"
                                    + " with --pcap FILE");
                }
                out.write(bytes, 0, count);
            }
        }
    }
}
