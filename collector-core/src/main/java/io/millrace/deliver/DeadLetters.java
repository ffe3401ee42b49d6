package io.millrace.deliver;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.format.JsonFormat;
import io.millrace.format.LineBuffer;
import io.millrace.read.InputNames;
import io.millrace.read.Journal;
import io.millrace.read.JournalCursor;
import io.millrace.read.Position;
import io.millrace.record.DatagramView;
import io.millrace.record.IpText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Base64;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a destination refused for good: {@code <data>/dead-letters/<sink>.ndjson}, one JSON object a line, with the reason, where
 * the datagram is in the journal, and its payload in base64. A record that is refused again after a crash is there again. One thread.
 */
final class DeadLetters implements AutoCloseable {
    private final Journal journal;
    private final InputNames inputs;
    private final Path file;
    private final LineBuffer lines = new LineBuffer();
    private @Nullable FileChannel channel;

    DeadLetters(Journal journal, String sink) {
        this.journal = journal;
        this.inputs = new InputNames(journal);
        this.file = journal.dataDirectory().resolve("dead-letters").resolve(sink + ".ndjson");
    }

    /**
     * Writes what was refused of a batch; it is on disk when this returns.
     *
     * @return how many
     */
    int write(SinkBatch batch) throws IOException {
        int count = 0;
        lines.clear();
        for (int i = 0; i < batch.size(); i++) {
            String reason = batch.refusal(i);
            if (reason != null) {
                append(batch.shard(i), batch.sequence(i), reason);
                count++;
            }
        }
        if (count > 0) {
            flush();
        }
        return count;
    }

    private void append(int shard, long sequence, String reason) throws IOException {
        text("{\"time\":\"" + Instant.now() + "\",\"reason\":");
        byte[] bytes = reason.getBytes(UTF_8);
        JsonFormat.string(bytes, 0, bytes.length, lines);
        text(String.format(
                Locale.ROOT,
                ",\"journal\":\"%016x\",\"shard\":%d,\"sequence\":%d",
                journal.meta().journalId(),
                shard,
                sequence));
        try (JournalCursor cursor =
                journal.cursor().from(new Position(shard, sequence)).open()) {
            cursor.poll(
                    (datagram, position) -> {
                        if (position.sequence() == sequence) {
                            datagram(datagram);
                        }
                    },
                    1);
        }
        text("}\n");
    }

    private void datagram(DatagramView datagram) {
        byte[] payload = new byte[datagram.payloadLength()];
        datagram.copyPayload(payload, 0);
        byte[] input = inputs.of(datagram.input()).getBytes(UTF_8);
        text(String.format(
                Locale.ROOT,
                ",\"receive_time_ns\":%d,\"source_ip\":\"%s\",\"source_port\":%d,\"input\":",
                datagram.receiveTimeNs(),
                IpText.of(datagram.sourceAddress()),
                datagram.sourcePort()));
        JsonFormat.string(input, 0, input.length, lines);
        text(",\"payload\":\"" + Base64.getEncoder().encodeToString(payload) + "\"");
    }

    private void text(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        lines.append(bytes, 0, bytes.length);
    }

    private void flush() throws IOException {
        FileChannel open = channel;
        if (open == null) {
            Path directory = file.getParent();
            if (directory != null) {
                Files.createDirectories(directory);
            }
            open = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            channel = open;
        }
        long end = open.size();
        open.position(end);
        ByteBuffer bytes = ByteBuffer.wrap(lines.array(), 0, lines.length());
        try {
            while (bytes.hasRemaining()) {
                open.write(bytes);
            }
            open.force(true);
        } catch (IOException e) {
            // What is there only in part would be there twice after the next attempt.
            open.truncate(end);
            throw e;
        }
    }

    @Override
    public void close() throws IOException {
        if (channel != null) {
            channel.close();
        }
    }
}
