package io.millrace.sender.command;

import io.millrace.sender.payload.FilePayloads;
import io.millrace.sender.payload.PayloadPattern;
import io.millrace.sender.payload.PayloadSizes;
import io.millrace.sender.payload.Payloads;
import io.millrace.sender.schedule.RecordedSources;
import io.millrace.sender.schedule.Schedule;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The source of the payloads of a run.
 *
 * @param name the pattern, or file, pcap or replay
 * @param payloads makes an object per thread
 * @param sizes null if payloads have their own lengths
 * @param recorded the recorded times; null if there are none
 * @param sources the recorded sources; null if there are none
 * @param defaultCount how many payloads are sent by default; 0 for those of the default duration
 * @param note a remark for the user; empty for none
 */
record PayloadSource(
        String name,
        Supplier<Payloads> payloads,
        @Nullable PayloadSizes sizes,
        @Nullable Schedule recorded,
        @Nullable RecordedSources sources,
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
        Path replay = options.replay;
        if (Stream.of(file, pcap, replay).filter(Objects::nonNull).count() > 1) {
            throw new IllegalArgumentException("--file, --pcap and --replay exclude each other");
        }
        if (file == null && pcap == null && replay == null) {
            if (options.speed != null) {
                throw new IllegalArgumentException("--speed applies to recorded times: add --pcap or --replay");
            }
            PayloadPattern pattern = options.pattern == null ? PayloadPattern.SEQUENCE : options.pattern;
            PayloadSizes sizes = options.sizes == null ? pattern.defaultSizes() : options.sizes;
            return new PayloadSource(
                    pattern.toString(), () -> pattern.payloads(sizes, options.seed, runId), sizes, null, null, 0, "");
        }
        if (options.pattern != null || options.sizes != null) {
            throw new IllegalArgumentException(
                    "what was recorded is sent unchanged: --pattern and --size cannot be used with --file, --pcap and --replay");
        }
        if (replay != null) {
            return JournalCapture.with(replay, capture -> ofCapture("replay", capture, options.speed));
        }
        return pcap != null ? ofCapture("pcap", pcap, options.speed) : ofFile(file, options.speed);
    }

    private static PayloadSource ofFile(@Nullable Path file, @Nullable Double speed) throws IOException {
        if (file == null || speed != null) {
            throw new IllegalArgumentException("--speed applies to recorded times, and lines have none");
        }
        FilePayloads lines = FilePayloads.ofLines(file);
        return new PayloadSource("file", () -> lines, null, null, null, 0, "");
    }

    private static PayloadSource ofCapture(String name, Path pcap, @Nullable Double speed) throws IOException {
        FilePayloads.Capture capture = FilePayloads.ofCapture(pcap, speed == null ? 1 : speed);
        FilePayloads payloads = capture.payloads();
        return new PayloadSource(
                name, () -> payloads, null, capture.recorded(), capture.sources(), payloads.size(), capture.skipped());
    }
}
