package io.millrace.sender.command;

import io.millrace.sender.payload.FilePayloads;
import io.millrace.sender.payload.PayloadPattern;
import io.millrace.sender.payload.PayloadSizes;
import io.millrace.sender.payload.Payloads;
import io.millrace.sender.schedule.Schedule;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The source of the payloads of a run.
 *
 * @param name the pattern, or file or pcap
 * @param payloads makes an object per thread
 * @param sizes null if payloads have their own lengths
 * @param recorded the recorded times; null if there are none
 * @param defaultCount how many payloads are sent by default; 0 for those of the default duration
 * @param note a remark for the user; empty for none
 */
record PayloadSource(
        String name,
        Supplier<Payloads> payloads,
        @Nullable PayloadSizes sizes,
        @Nullable Schedule recorded,
        long defaultCount,
        String note) {

    /**
     * Makes it from the options.
     *
     * @throws IllegalArgumentException when options contradict each other
     * @throws IOException when a file cannot be read
     */
    static PayloadSource of(SendOptions.Payload options, int runId) throws IOException {
        Path file = options.file;
        Path pcap = options.pcap;
        if (file == null && pcap == null) {
            if (options.speed != null) {
                throw new IllegalArgumentException(
                        "--speed applies to the recorded times of a --pcap, and there is none");
            }
            PayloadPattern pattern = options.pattern == null ? PayloadPattern.SEQUENCE : options.pattern;
            PayloadSizes sizes = options.sizes == null ? pattern.defaultSizes() : options.sizes;
            return new PayloadSource(
                    pattern.toString(), () -> pattern.payloads(sizes, options.seed, runId), sizes, null, 0, "");
        }
        if (file != null && pcap != null) {
            throw new IllegalArgumentException("--file and --pcap exclude each other");
        }
        if (options.pattern != null || options.sizes != null) {
            throw new IllegalArgumentException(
                    "a file is sent unchanged: --pattern and --size cannot be used with --file and --pcap");
        }
        return pcap != null ? ofCapture(pcap, options.speed) : ofFile(file, options.speed);
    }

    private static PayloadSource ofFile(@Nullable Path file, @Nullable Double speed) throws IOException {
        if (file == null || speed != null) {
            throw new IllegalArgumentException(
                    "--speed applies to the recorded times of a --pcap, and lines have none");
        }
        FilePayloads lines = FilePayloads.ofLines(file);
        return new PayloadSource("file", () -> lines, null, null, 0, "");
    }

    private static PayloadSource ofCapture(Path pcap, @Nullable Double speed) throws IOException {
        FilePayloads.Capture capture = FilePayloads.ofCapture(pcap, speed == null ? 1 : speed);
        FilePayloads payloads = capture.payloads();
        return new PayloadSource("pcap", () -> payloads, null, capture.recorded(), payloads.size(), capture.skipped());
    }
}
