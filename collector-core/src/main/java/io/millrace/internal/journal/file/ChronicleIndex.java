package io.millrace.internal.journal.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A validator of a file's header and index. Chronicle uses them to find the end of the file and excerpts by number.
 * Wrong numbers would lead readers and writers to wrong positions. One thread.
 *
 * <p>While the file is written, the numbers may refer to excerpts that were appended after the check read the excerpts.
 */
public final class ChronicleIndex {
    /** The header that Chronicle Queue writes for this roll cycle; the variable numbers are 0 here. */
    private static final byte[] HEADER = HexFormat.of()
            .parseHex("c1000040b906686561646572b60853435153746f726582aa000000cd7772697465506f736974696f6e8e0100"
                    + "0000008d0200000000000000020000000000000000000000000000000000000000000000c8696e646578696e"
                    + "67b60c53435153496e646578696e67824c000000ca696e646578436f756e74a50010cc696e64657853706163"
                    + "696e67a50001cb696e64657832496e6465788fa70000000000000000c96c617374496e6465788e00000000a7"
                    + "0000000000000000ca64617461466f726d6174a101000000");

    public static final int HEADER_BYTES = HEADER.length;

    public static final int WRITE_POSITION = 0x40;
    public static final int SEQUENCE = 0x48;
    private static final int FIRST_INDEX = 0x98;
    private static final int NEXT_INDEXED = 0xb0;
    private static final int[] NUMBERS = {WRITE_POSITION, SEQUENCE, FIRST_INDEX, NEXT_INDEXED};
    private static final int ENTRIES = 4096;
    /** The index has one entry per this many excerpts. */
    private static final int SPACING = 256;
    /** Bytes of a document that contain its name and the size of its list. */
    private static final int PREFIX_BYTES = 64;

    private final FileWindow file;
    private final boolean isLast;
    private final List<Long> indexed = new ArrayList<>();
    private final List<Long> indexes = new ArrayList<>();
    private long writePosition;
    private long excerpts;
    private long writtenExcerpt = -1;

    public ChronicleIndex(FileWindow file, boolean isLast) {
        this.file = file;
        this.isLast = isLast;
    }

    /** Checks the header; returns the problem, or null. Before {@link #excerpt}. */
    @Nullable
    public String header() throws IOException {
        ByteBuffer header = file.bytesAt(0, HEADER.length);
        if (header.limit() < HEADER.length || (isLast && !ChronicleBytes.isComplete(header.getInt(0)))) {
            return null; // Incomplete: it is being written, or its writer crashed. Readers would find batches after it.
        }
        writePosition = header.getLong(WRITE_POSITION);
        long firstIndex = header.getLong(FIRST_INDEX);
        for (int number : NUMBERS) {
            header.putLong(number, 0);
        }
        if (!header.equals(ByteBuffer.wrap(HEADER))) {
            return "Chronicle's header of the file is damaged";
        }
        return firstIndex == HEADER.length || (isLast && firstIndex == 0)
                ? null
                : "Chronicle's header of the file is damaged: the position of the index is " + firstIndex;
    }

    /** Records the position of the length word of the next excerpt. */
    public void excerpt(long position) {
        if (excerpts % SPACING == 0) {
            indexed.add(position);
        }
        if (position == writePosition) {
            writtenExcerpt = excerpts;
        }
        excerpts++;
    }

    /** Records the position of the length word of Chronicle's next own document. */
    public void metadata(long position) {
        if (position >= HEADER.length) {
            indexes.add(position);
        }
        if (position == writePosition) {
            writtenExcerpt = Math.max(0, excerpts - 1);
        }
    }

    /** Checks the numbers in the header and index after all excerpts were recorded; returns the problem, or null. */
    @Nullable
    String check(long end) throws IOException {
        if (excerpts == 0) {
            return null;
        }
        if (writePosition != 0 && writtenExcerpt < 0 && !mayBeNew(writePosition, end)) {
            return "Chronicle's header of the file is damaged: the position of the end is " + writePosition;
        }
        long sequence = file.longAt(SEQUENCE);
        if (writtenExcerpt >= 0
                && sequence >>> Integer.SIZE == writePosition
                && (int) sequence != writtenExcerpt
                && file.longAt(WRITE_POSITION) == writePosition) {
            return "Chronicle's header of the file is damaged: the number of excerpt " + writtenExcerpt + " is "
                    + (int) sequence;
        }
        return wrongIndex(end);
    }

    /** Checks the index after all excerpts and documents were recorded; returns the problem, or null. */
    @Nullable
    public String wrongIndex(long end) throws IOException {
        for (int i = 0; i < indexes.size(); i++) {
            String wrong = i == 0
                    ? index("index2index", indexes.get(0), indexes.subList(1, indexes.size()), end)
                    : index("index", indexes.get(i), indexedBy(i - 1), end);
            if (wrong != null) {
                return wrong;
            }
        }
        return null;
    }

    /** True if the index is valid where Chronicle will add the next entry. */
    public boolean canContinue() throws IOException {
        long next = file.longAt(NEXT_INDEXED);
        if (next == Long.MAX_VALUE) {
            return true; // Indexing is disabled for this file.
        }
        long number = next / SPACING / ENTRIES;
        if (next < 0 || next % SPACING != 0 || number >= ENTRIES) {
            return false;
        }
        int entries = numbersAt("index2index", HEADER_BYTES);
        if (entries < 0) {
            return false;
        }
        long position = file.longAt(HEADER_BYTES + ChronicleBytes.WORD_BYTES + entries + (2 + number) * Long.BYTES);
        return position == 0 || (position > HEADER_BYTES && numbersAt("index", position) >= 0);
    }

    /** The index of the list in the document at this position; -1 if it is not an index document. */
    private int numbersAt(String name, long position) throws IOException {
        int word = file.intAt(position);
        int length = ChronicleBytes.length(word);
        if (!ChronicleBytes.isComplete(word)
                || !ChronicleBytes.isMetadata(word)
                || length < ENTRIES * Long.BYTES
                || length > 2 * ENTRIES * Long.BYTES) {
            return -1;
        }
        ByteBuffer document = file.bytesAt(position + ChronicleBytes.WORD_BYTES, PREFIX_BYTES);
        int at = ChronicleBytes.numbersAt(document, name);
        return at >= 0 && document.getLong(at) == ENTRIES ? at : -1;
    }

    /** True if a sequence entry of the header belongs to this write position. */
    public static boolean fits(long writePosition, long sequence) {
        return sequence >>> Integer.SIZE == (writePosition & 0xffff_ffffL);
    }

    /**
     * Creates a header like Chronicle's.
     *
     * @param last the position of the length word of the last excerpt; 0 if there is none
     * @param excerpts the number of excerpts
     * @param indexed true if the index is valid; false disables indexing of further excerpts, which readers do not need
     */
    public static ByteBuffer header(long last, long excerpts, boolean indexed) {
        long nextIndexed = indexed ? (excerpts + SPACING - 1) / SPACING * SPACING : Long.MAX_VALUE;
        return ByteBuffer.wrap(HEADER.clone())
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(WRITE_POSITION, last)
                .putLong(SEQUENCE, excerpts == 0 ? 0 : last << Integer.SIZE | (excerpts - 1))
                .putLong(FIRST_INDEX, HEADER_BYTES)
                .putLong(NEXT_INDEXED, nextIndexed);
    }

    private List<Long> indexedBy(int index) {
        int from = Math.min(index * ENTRIES, indexed.size());
        return indexed.subList(from, Math.min(from + ENTRIES, indexed.size()));
    }

    private @Nullable String index(String name, long position, List<Long> expected, long end) throws IOException {
        int length = ChronicleBytes.length(file.intAt(position));
        String wrong = "Chronicle's index at byte " + position + " is damaged";
        if (length < ENTRIES * Long.BYTES || length > 2 * ENTRIES * Long.BYTES) {
            return wrong;
        }
        ByteBuffer document = file.bytesAt(position + ChronicleBytes.WORD_BYTES, length);
        int at = ChronicleBytes.numbersAt(document, name);
        int first = at + 2 * Long.BYTES;
        if (at < 0 || first + ENTRIES * Long.BYTES > document.limit() || document.getLong(at) != ENTRIES) {
            return wrong;
        }
        long used = document.getLong(at + Long.BYTES);
        int last = -1;
        for (int i = 0; i < ENTRIES; i++) {
            long entry = document.getLong(first + i * Long.BYTES);
            if (entry != 0) {
                last = i;
                boolean right = i < expected.size() ? entry == expected.get(i) : mayBeNew(entry, end);
                if (!right) {
                    return wrong + ": the position in entry " + i + " is " + entry;
                }
            }
        }
        return used > last + 1L || used < last ? wrong + ": its number of entries is " + used : null;
    }

    /** True if an excerpt that was appended after the check began can be at this position. */
    private boolean mayBeNew(long position, long end) throws IOException {
        return isLast && position >= end && position % ChronicleBytes.WORD_BYTES == 0 && file.intAt(position) != 0;
    }
}
