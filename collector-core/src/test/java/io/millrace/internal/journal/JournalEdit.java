package io.millrace.internal.journal;

import io.millrace.fuzz.FuzzBytes;
import io.millrace.internal.journal.file.ChronicleFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Damages the files of a closed journal, controlled by the bytes of a fuzz input. */
final class JournalEdit {
    private final List<JournalBytes.Place> batches = new ArrayList<>();
    private final List<Path> files = new ArrayList<>();

    /** Creates edits for an intact journal. */
    JournalEdit(Path root, int shards) throws IOException {
        for (int shard = 0; shard < shards; shard++) {
            batches.addAll(JournalBytes.batches(root, shard));
            files.addAll(JournalBytes.files(root, shard));
            files.add(JournalPaths.shardPath(root, shard).resolve(ChronicleFiles.METADATA));
        }
    }

    /** Applies one edit. */
    void apply(FuzzBytes input) throws IOException {
        int what = input.u8();
        Path file = files.get(input.u8() % files.size());
        JournalBytes.Place batch = batches.get(input.u8() % batches.size());
        int at = input.u16();
        switch (what % 9) {
            case 0 -> write(file, at, input.take(1 + input.u8() % 16));
            case 1 -> flip(file, at, input.u8() % 8);
            case 2 -> truncate(file, at);
            case 3 -> Files.deleteIfExists(file);
            case 4 -> change(batch, at, input.take(1 + input.u8() % 8));
            case 5 -> write(batch.file(), batch.offset() - 4, input.take(4));
            case 6 -> write(file, at, new byte[1 + input.u16()]);
            case 7 -> write(batch.file(), batch.offset() + at % batch.length(), input.take(1 + input.u8() % 8));
            default -> move(batch, batches.get(input.u8() % batches.size()));
        }
    }

    private void write(Path file, long at, byte[] bytes) throws IOException {
        long room = Files.exists(file) ? Files.size(file) - at : 0;
        if (room > 0 && bytes.length > 0) {
            JournalBytes.write(file, at, Arrays.copyOf(bytes, (int) Math.min(room, bytes.length)));
        }
    }

    private void flip(Path file, long at, int bit) throws IOException {
        if (Files.exists(file) && at < Files.size(file)) {
            JournalBytes.flip(file, at, bit);
        }
    }

    private void truncate(Path file, long size) throws IOException {
        if (Files.exists(file)) {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(size);
            }
        }
    }

    private boolean isThere(JournalBytes.Place batch) throws IOException {
        return Files.exists(batch.file()) && Files.size(batch.file()) >= batch.end();
    }

    /** Changes bytes of a batch and updates its checksum. */
    private void change(JournalBytes.Place batch, int at, byte[] bytes) throws IOException {
        if (isThere(batch)) {
            int from = 4 + at % (batch.length() - 4 - 8);
            JournalBytes.change(batch, memory -> memory.put(from, bytes));
        }
    }

    /** Overwrites the bytes at a batch with another whole batch. */
    private void move(JournalBytes.Place from, JournalBytes.Place to) throws IOException {
        if (isThere(from)) {
            write(to.file(), to.offset() - 4, JournalBytes.read(from.file(), from.offset() - 4, from.length() + 4));
        }
    }
}
