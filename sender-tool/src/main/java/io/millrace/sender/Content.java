package io.millrace.sender;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a run sends, ready to be sent.
 *
 * @param name the pattern, or file or pcap
 * @param payloads makes an object for each thread
 * @param sizes null when each payload has a length of its own
 * @param recorded the times the payloads came with; null if they have none
 * @param once how many payloads are sent when nothing else is said; 0 to go by time
 * @param note what is to be said about it; empty for nothing
 */
record Content(
        String name,
        Supplier<Payloads> payloads,
        @Nullable Sizes sizes,
        @Nullable Schedule recorded,
        long once,
        String note) {

    /**
     * Makes it of the options.
     *
     * @throws IllegalArgumentException when options contradict each other
     * @throws IOException when a file cannot be read
     */
    static Content of(SendOptions.What what, int runId) throws IOException {
        Path file = what.file;
        Path pcap = what.pcap;
        if (file == null && pcap == null) {
            if (what.speed != null) {
                throw new IllegalArgumentException("--speed is for the recorded times of a --pcap, and there is none");
            }
            Pattern pattern = what.pattern == null ? Pattern.SEQUENCE : what.pattern;
            Sizes sizes = what.sizes == null ? pattern.defaultSizes() : what.sizes;
            return new Content(pattern.text(), () -> pattern.payloads(sizes, what.seed, runId), sizes, null, 0, "");
        }
        if (file != null && pcap != null) {
            throw new IllegalArgumentException("--file and --pcap both say what is sent: give one of them");
        }
        if (what.pattern != null || what.sizes != null) {
            throw new IllegalArgumentException(
                    "what is in the file is sent as it is: --pattern and --size do not go" + " with --file and --pcap");
        }
        return pcap != null ? ofCapture(pcap, what.speed) : ofFile(file, what.speed);
    }

    private static Content ofFile(@Nullable Path file, @Nullable Double speed) throws IOException {
        if (file == null || speed != null) {
            throw new IllegalArgumentException("--speed is for the recorded times of a --pcap, and lines have none");
        }
        FilePayloads lines = FilePayloads.ofLines(file);
        return new Content("file", () -> lines, null, null, 0, "");
    }

    private static Content ofCapture(Path pcap, @Nullable Double speed) throws IOException {
        FilePayloads.Capture capture = FilePayloads.ofCapture(pcap, speed == null ? 1 : speed);
        FilePayloads payloads = capture.payloads();
        return new Content("pcap", () -> payloads, null, capture.recorded(), payloads.size(), capture.skipped());
    }
}
