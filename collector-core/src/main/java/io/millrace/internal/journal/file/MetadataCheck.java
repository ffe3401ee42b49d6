package io.millrace.internal.journal.file;

import io.millrace.internal.disk.Disk;
import io.millrace.internal.journal.JournalPaths;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A validator of {@code metadata.cq4t}, the file in which Chronicle lists the files of a shard. It has a header, then
 * names with numbers. The state of its locks does not matter: they are released at the start.
 */
public final class MetadataCheck {
    /** The header that Chronicle Queue writes for this roll cycle. */
    private static final byte[] HEADER = HexFormat.of()
            .parseHex("94000040b906686561646572b607535453746f7265827e000000c87769726554797065b60857697265547970"
                    + "65ec42494e4152595f4c49474854c86d65746164617461b6075343514d6574618246000000c4726f6c6cb608"
                    + "53435153526f6c6c8227000000c66c656e677468a6005c2605c6666f726d6174eb797979794d4d6464274627"
                    + "c565706f6368a100c8736f757263654964a1008f");

    private static final String HIGHEST = "listing.highestCycle";
    private static final String LOWEST = "listing.lowestCycle";
    private static final List<String> NAMES = List.of(
            HIGHEST,
            LOWEST,
            "listing.modCount",
            "chronicle.write.lock",
            "chronicle.append.lock",
            "chronicle.lastIndexReplicated",
            "chronicle.lastAcknowledgedIndexReplicated",
            "chronicle.lastIndexMSynced");
    /** The bytes that Chronicle maps. */
    private static final int MIN_BYTES = 64 << 10;

    private static final int ATTEMPTS = 10;
    private static final long RETRY_MS = 20;

    private MetadataCheck() {}

    /** What is done before the file is checked again. */
    interface Pause {
        void run() throws IOException;
    }

    /**
     * Returns the problem of a shard's file, or null; null also if the shard has no journal files. A problem must last 200 ms,
     * because a writer first creates or deletes a journal file and then lists it in several steps.
     *
     * @param shard the directory of the shard
     */
    public static @Nullable String of(Path shard) throws IOException {
        return of(shard, MetadataCheck::pause);
    }

    static @Nullable String of(Path shard, Pause pause) throws IOException {
        String wrong = check(shard);
        for (int i = 0; i < ATTEMPTS && wrong != null; i++) {
            pause.run();
            wrong = check(shard);
        }
        return wrong;
    }

    private static @Nullable String check(Path shard) throws IOException {
        List<Path> files = JournalPaths.files(shard);
        return files.isEmpty() ? null : check(shard.resolve(ChronicleFiles.METADATA), files);
    }

    /**
     * True if the file is valid and lists the newest file as the last. Chronicle would wait ten seconds for a missing
     * file. Not concurrent with writes.
     *
     * @param files the files of the shard, oldest first
     */
    static boolean isValid(Path metadata, List<Path> files) throws IOException {
        Map<String, Long> numbers = new HashMap<>();
        if (check(metadata, files) != null) {
            return false;
        }
        try (FileWindow file = new FileWindow(metadata)) {
            return read(file, numbers) == null
                    && numbers.getOrDefault(HIGHEST, 0L) == ChronicleFiles.cycleOf(files.get(files.size() - 1));
        }
    }

    private static @Nullable String check(Path metadata, List<Path> files) throws IOException {
        if (Disk.of(metadata).notExists(metadata)) {
            return "it is missing: Chronicle finds no file of the shard without it";
        }
        try (FileWindow file = new FileWindow(metadata)) {
            if (file.size() < MIN_BYTES) {
                return "it is truncated: Chronicle finds no file of the shard without it";
            }
            if (!file.bytesAt(0, HEADER.length).equals(ByteBuffer.wrap(HEADER))) {
                return "its header is damaged: Chronicle finds no file of the shard without it";
            }
            Map<String, Long> numbers = new HashMap<>();
            String wrong = read(file, numbers);
            return wrong == null ? compare(numbers, files) : wrong;
        }
    }

    private static @Nullable String read(FileWindow file, Map<String, Long> numbers) throws IOException {
        long position = HEADER.length;
        int word = file.intAt(position);
        while (ChronicleBytes.isComplete(word)) {
            int length = ChronicleBytes.length(word);
            ByteBuffer document =
                    file.bytesAt(position + ChronicleBytes.WORD_BYTES, (int) Math.min(length, file.size()));
            String name = ChronicleBytes.name(document);
            int at = ChronicleBytes.numberAt(document, name);
            if (document.limit() < length || at < 0) {
                return "the entry at byte " + position + " is damaged";
            }
            numbers.putIfAbsent(name, document.getLong(at));
            position = ChronicleBytes.next(position + ChronicleBytes.WORD_BYTES + length);
            word = file.intAt(position);
        }
        for (String name : NAMES) {
            if (!numbers.containsKey(name)) {
                return "the entry " + name + " is missing";
            }
        }
        return null;
    }

    private static @Nullable String compare(Map<String, Long> numbers, List<Path> files) {
        long oldest = ChronicleFiles.cycleOf(files.get(0));
        long newest = ChronicleFiles.cycleOf(files.get(files.size() - 1));
        long low = numbers.getOrDefault(LOWEST, 0L);
        long high = numbers.getOrDefault(HIGHEST, 0L);
        if (low < 0 || low > oldest) {
            return "it lists " + low + " as the first file, but that is " + oldest;
        }
        // A file that was created after the files were listed is valid.
        return high < newest || high > newest + 1
                ? "it lists " + high + " as the last file, but that is " + newest
                : null;
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(RETRY_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
