package io.millrace.sender.payload;

import io.millrace.sender.pcap.PcapReader;
import io.millrace.sender.schedule.RecordedSchedule;
import io.millrace.sender.schedule.RecordedSources;
import io.millrace.sender.schedule.Schedule;
import io.millrace.sender.schedule.SendPlan;
import io.millrace.sender.value.Text;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * The payloads of a file, in order and repeated: its lines, or the UDP payloads of a capture. The file is mapped; only the
 * positions of the payloads are on the heap. Threads may share an object.
 */
public final class FilePayloads implements Payloads {
    private final ByteBuffer file;
    private int[] starts = new int[1024];
    private int[] lengths = new int[1024];
    private int size;
    private int maxBytes;

    private FilePayloads(ByteBuffer file) {
        this.file = file;
    }

    /**
     * The payloads of a capture and their times.
     *
     * @param recorded the recorded times
     * @param sources the recorded sources
     * @param skipped a message about packets that are not sent; empty if there are none
     */
    public record Capture(FilePayloads payloads, Schedule recorded, RecordedSources sources, String skipped) {}

    /** Each line is a payload, whatever its bytes; empty lines are skipped. */
    public static FilePayloads ofLines(Path path) throws IOException {
        MappedByteBuffer file = map(path);
        FilePayloads lines = new FilePayloads(file);
        int start = 0;
        long number = 1;
        int end = file.limit();
        for (int at = 0; at <= end; at++) {
            if (at < end && file.get(at) != '\n') {
                continue;
            }
            int length = at - start;
            if (length > SendPlan.MAX_PAYLOAD_BYTES) {
                throw new IOException(Text.format(
                        "%s: line %,d has %,d bytes; the maximum of a datagram is %,d",
                        path, number, length, SendPlan.MAX_PAYLOAD_BYTES));
            }
            if (length > 0) {
                lines.add(start, length);
            }
            start = at + 1;
            number++;
        }
        if (lines.size == 0) {
            throw new IOException(path + " contains no line: --file accepts a file with one message per line");
        }
        return lines;
    }

    public static Capture ofCapture(Path path, double speed) throws IOException {
        FilePayloads payloads = new FilePayloads(map(path));
        long[] times = new long[1024];
        RecordedSources sources = new RecordedSources();
        try (PcapReader reader = PcapReader.open(path)) {
            while (reader.next()) {
                if (payloads.size == times.length) {
                    times = Arrays.copyOf(times, 2 * times.length);
                }
                times[payloads.size] = reader.timestampNanos();
                sources.add(reader.sourceAddress());
                payloads.add((int) reader.payloadPosition(), reader.payloadLength());
            }
            String skipped = reader.notUdp() + reader.fragments() + reader.truncated() == 0
                    ? ""
                    : Text.format(
                            "%s: not sent: %s that are not UDP, %s, %s",
                            path,
                            Text.counted(reader.notUdp(), "packet"),
                            Text.counted(reader.fragments(), "fragment"),
                            Text.counted(reader.truncated(), "truncated packet"));
            if (payloads.size == 0) {
                throw new IOException(
                        path + " contains no UDP payload" + (skipped.isEmpty() ? "" : " (" + skipped + ")"));
            }
            return new Capture(
                    payloads, new RecordedSchedule(Arrays.copyOf(times, payloads.size), speed), sources, skipped);
        }
    }

    private static MappedByteBuffer map(Path path) throws IOException {
        if (!Files.isRegularFile(path)) {
            throw new IOException(path + (Files.exists(path) ? " is not a regular file" : " does not exist"));
        }
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            if (channel.size() > Integer.MAX_VALUE) {
                throw new IOException(
                        Text.format("%s has %,d bytes; the limit is 2 GiB: split it", path, channel.size()));
            }
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
        }
    }

    private void add(int start, int length) {
        if (size == starts.length) {
            starts = Arrays.copyOf(starts, 2 * size);
            lengths = Arrays.copyOf(lengths, 2 * size);
        }
        starts[size] = start;
        lengths[size] = length;
        maxBytes = Math.max(maxBytes, length);
        size++;
    }

    public int size() {
        return size;
    }

    @Override
    public int put(ByteBuffer target, int index, long n, int source, int sequence, long intendedMicros) {
        int i = (int) (n % size);
        target.put(index, file, starts[i], lengths[i]);
        return lengths[i];
    }

    @Override
    public int maxBytes() {
        return maxBytes;
    }
}
