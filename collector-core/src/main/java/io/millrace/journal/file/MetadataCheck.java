package io.millrace.journal.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks Chronicle's own file of a shard, {@code metadata.cq4t}, which readers need to find the others: a header, then
 * names with numbers. Locks in it do not matter: they are forced open.
 */
public final class MetadataCheck {
    /** The header as Chronicle Queue writes it for our roll cycle. */
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
    /** Chronicle maps so much of it. */
    private static final int MIN_BYTES = 64 << 10;

    private static final String BEHIND = "it names but ";
    private static final int TRIES = 10;
    private static final long AGAIN_MS = 20;

    private MetadataCheck() {}

    /**
     * Returns what is wrong with it, or null.
     *
     * @param files the files there were before this was called, oldest first
     */
    public static @Nullable String of(Path metadata, List<Path> files) throws IOException {
        String wrong = look(metadata, files);
        for (int i = 0; i < TRIES && wrong != null && wrong.startsWith(BEHIND); i++) {
            pause(); // A writer that begins a file names it a moment later.
            wrong = look(metadata, files);
        }
        return wrong;
    }

    /**
     * True if nothing is wrong with it, and it names the last file as the last: Chronicle waits ten seconds for one that is not there.
     * Nobody writes meanwhile.
     *
     * @param files the files there are, oldest first
     */
    static boolean isRight(Path metadata, List<Path> files) throws IOException {
        Map<String, Long> numbers = new HashMap<>();
        if (look(metadata, files) != null) {
            return false;
        }
        try (FileWindow file = new FileWindow(metadata)) {
            return read(file, numbers) == null
                    && numbers.getOrDefault(HIGHEST, 0L) == ChronicleFiles.cycleOf(files.get(files.size() - 1));
        }
    }

    private static @Nullable String look(Path metadata, List<Path> files) throws IOException {
        if (Files.notExists(metadata)) {
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
                return "what it says at byte " + position + " is damaged";
            }
            numbers.putIfAbsent(name, document.getLong(at));
            position = ChronicleBytes.next(position + ChronicleBytes.WORD_BYTES + length);
            word = file.intAt(position);
        }
        for (String name : NAMES) {
            if (!numbers.containsKey(name)) {
                return name + " is missing in it";
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
            return "it names " + low + " as the first file, and that is " + oldest;
        }
        // One that was begun since the files were listed is right.
        return high < newest || high > newest + 1
                ? "it names " + high + " as the last file, and that is " + newest
                : null;
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(AGAIN_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
