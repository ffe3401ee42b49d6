package io.millrace.sender.command;

import java.io.IOException;
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
        try {
            Process read = new ProcessBuilder(
                            List.of(script, "read", "--data", data.toString(), "--order", "time", "--format", "pcap"))
                    .redirectOutput(capture.toFile())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            read.getOutputStream().close();
            int code = read.waitFor();
            if (code != 0) {
                throw new IOException("the journal in " + data + " could not be read (exit code " + code + ")");
            }
            if (Files.size(capture) == 0) {
                throw new IOException("the journal in " + data + " has no messages");
            }
            return use.of(capture);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            Files.deleteIfExists(capture);
        }
    }
}
