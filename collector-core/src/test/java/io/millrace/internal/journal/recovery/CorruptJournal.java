package io.millrace.internal.journal.recovery;

import io.millrace.internal.journal.JournalBytes;
import io.millrace.internal.journal.TestJournal;
import io.millrace.internal.journal.file.ChronicleFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

/**
 * A closed journal, with methods that copy it, damage a copy at random, and list the batches of a copy whose bytes are
 * unchanged.
 */
final class CorruptJournal {
    static final int SHARDS = 2;
    private static final int PAGE = 4096;
    private static final long ROLL_BYTES = 16_000;

    private final Path root;
    private final List<List<JournalBytes.Place>> batches = new ArrayList<>();
    private final Map<Path, byte[]> contents = new HashMap<>();

    private CorruptJournal(Path root) {
        this.root = root;
    }

    /** Writes the journal: small and large batches, several files per shard. */
    static CorruptJournal write(Path root, Random random) throws IOException {
        CorruptJournal journal = new CorruptJournal(root);
        try (TestJournal writer = TestJournal.openSmall(root, SHARDS, ROLL_BYTES)) {
            for (int shard = 0; shard < SHARDS; shard++) {
                for (int batch = 0; batch < 24; batch++) {
                    writer.appendNumbered(shard, 1, 1 + random.nextInt(random.nextInt(10) == 0 ? 400 : 80));
                }
            }
        }
        for (int shard = 0; shard < SHARDS; shard++) {
            journal.batches.add(JournalBytes.batches(root, shard));
            for (Path file : JournalBytes.files(root, shard)) {
                journal.contents.put(root.relativize(file), Files.readAllBytes(file));
            }
        }
        return journal;
    }

    /** Copies the journal; pages of zeros become holes. */
    void copyTo(Path target) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.toList()) {
                Path copy = target.resolve(root.relativize(file));
                byte[] content = contents.get(root.relativize(file));
                if (Files.isDirectory(file)) {
                    Files.createDirectories(copy);
                } else if (content == null) {
                    Files.copy(file, copy);
                } else {
                    writeSparse(copy, content);
                }
            }
        }
    }

    private static void writeSparse(Path file, byte[] content) throws IOException {
        byte[] zeros = new byte[PAGE];
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (int at = 0; at < content.length; at += PAGE) {
                int end = Math.min(at + PAGE, content.length);
                if (!Arrays.equals(content, at, end, zeros, 0, end - at) || end == content.length) {
                    channel.write(ByteBuffer.wrap(content, at, end - at), at);
                }
            }
        }
    }

    /** Damages a copy in one way; returns a description of it. */
    String damage(Path copy, Random random) throws IOException {
        int shard = random.nextInt(SHARDS);
        List<Path> files = JournalBytes.files(copy, shard);
        int index = random.nextInt(files.size());
        Path file = files.get(index);
        long size = Files.size(file);
        long used = usedBytes(copy, file) + 8;
        JournalBytes.Place batch =
                batches.get(shard).get(random.nextInt(batches.get(shard).size()));
        Path batchFile = copy.resolve(root.relativize(batch.file()));
        long at = (long) (random.nextDouble() * Math.min(used, size));
        switch (random.nextInt(11)) {
            case 0, 1 -> {
                return flip(file, at, random);
            }
            case 2 -> {
                return flip(batchFile, batch.offset() + random.nextInt(batch.length()), random);
            }
            case 3 -> {
                return flip(batchFile, batch.offset() - 4 + random.nextInt(4), random);
            }
            case 4 -> {
                long first = firstBatch(copy, file);
                return flip(file, (long) (random.nextDouble() * first), random);
            }
            case 5 -> {
                return overwrite(file, at / PAGE * PAGE, new byte[PAGE * (1 + random.nextInt(3))]);
            }
            case 6 -> {
                byte[] noise = new byte[1 + random.nextInt(2000)];
                random.nextBytes(noise);
                return overwrite(file, at, noise);
            }
            case 7 -> {
                truncate(file, at);
                return "truncated " + file + " to " + at;
            }
            case 8 -> {
                // A missing oldest file looks like one that retention deleted.
                if (index == 0) {
                    return flip(file, at, random);
                }
                Files.delete(file);
                return "deleted " + file;
            }
            case 9 -> {
                return overwrite(batchFile, batch.offset() - 4, new byte[4]);
            }
            default -> {
                return metadata(file.resolveSibling(ChronicleFiles.METADATA), random);
            }
        }
    }

    private static String metadata(Path metadata, Random random) throws IOException {
        if (!Files.exists(metadata)) {
            return "nothing";
        }
        switch (random.nextInt(4)) {
            case 0 -> {
                Files.delete(metadata);
                return "deleted " + metadata;
            }
            case 1 -> {
                int length = random.nextInt(1000);
                truncate(metadata, length);
                return "truncated " + metadata + " to " + length;
            }
            case 2 -> {
                return overwrite(metadata, 0, new byte[PAGE]);
            }
            default -> {
                return flip(metadata, random.nextInt((int) Math.max(1, Math.min(600, Files.size(metadata)))), random);
            }
        }
    }

    private static void truncate(Path file, long size) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(size);
        }
    }

    private static String flip(Path file, long at, Random random) throws IOException {
        if (!Files.exists(file) || at >= Files.size(file)) {
            return "nothing";
        }
        int bit = random.nextInt(8);
        JournalBytes.flip(file, at, bit);
        return "flipped bit " + bit + " of byte " + at + " of " + file;
    }

    private static String overwrite(Path file, long at, byte[] bytes) throws IOException {
        if (!Files.exists(file)) {
            return "nothing";
        }
        int length = (int) Math.min(bytes.length, Files.size(file) - at);
        if (length > 0) {
            JournalBytes.write(file, at, Arrays.copyOf(bytes, length));
        }
        return "overwrote " + length + " bytes at " + at + " of " + file;
    }

    private long usedBytes(Path copy, Path file) {
        return batches.stream()
                .flatMap(List::stream)
                .filter(batch -> copy.resolve(root.relativize(batch.file())).equals(file))
                .mapToLong(JournalBytes.Place::end)
                .max()
                .orElse(0);
    }

    private long firstBatch(Path copy, Path file) {
        return batches.stream()
                .flatMap(List::stream)
                .filter(batch -> copy.resolve(root.relativize(batch.file())).equals(file))
                .mapToLong(JournalBytes.Place::offset)
                .min()
                .orElse(0);
    }

    /** The unchanged batches of a shard of a copy. */
    List<JournalBytes.Place> wholeIn(Path copy, int shard) throws IOException {
        List<JournalBytes.Place> whole = new ArrayList<>();
        Map<Path, byte[]> now = new HashMap<>();
        for (JournalBytes.Place batch : batches.get(shard)) {
            Path name = root.relativize(batch.file());
            byte[] before = contents.get(name);
            if (!now.containsKey(name)) {
                Path file = copy.resolve(name);
                now.put(name, Files.exists(file) ? Files.readAllBytes(file) : new byte[0]);
            }
            byte[] after = now.get(name);
            int from = (int) batch.offset();
            int to = (int) batch.end();
            if (after.length >= to && Arrays.equals(before, from, to, after, from, to)) {
                whole.add(batch);
            }
        }
        return whole;
    }

    /** The number of datagrams of a shard, including damaged ones. */
    long datagrams(int shard) {
        return batches.get(shard).stream().mapToLong(JournalBytes.Place::count).sum();
    }

    int batchCount(int shard) {
        return batches.get(shard).size();
    }
}
