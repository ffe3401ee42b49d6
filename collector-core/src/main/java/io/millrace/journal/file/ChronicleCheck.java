package io.millrace.journal.file;

import io.millrace.record.BatchView;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Checks what Chronicle itself writes into a file around our batches: without it readers do not find them. The file is a
 * chain of excerpts from its first byte on, each a length word and as many bytes. One thread.
 */
public final class ChronicleCheck {
    private final FileWindow file;
    private final boolean isLast;
    private final ChronicleIndex index;
    /** Where the next length word has to be. */
    private long position;

    private boolean whole = true;
    private boolean sawOther;

    public ChronicleCheck(FileWindow file, boolean isLast) {
        this.file = file;
        this.isLast = isLast;
        this.index = new ChronicleIndex(file, isLast);
    }

    public long position() {
        return position;
    }

    /** True if there is an excerpt that is no whole batch: one whose journal id is damaged is not even seen as one. */
    public boolean sawOther() {
        return sawOther;
    }

    /** Looks at the file's beginning; returns what is wrong, or null. First of all. */
    @Nullable
    public String header() throws IOException {
        return index.header();
    }

    /** A batch begins here, in the order of the file; returns what is wrong before it, or null. */
    @Nullable
    public String batchAt(long batch, int length) throws IOException {
        long wordAt = batch - ChronicleBytes.WORD_BYTES;
        String wrong = null;
        while (wrong == null && position < wordAt) {
            int word = file.intAt(position);
            if (ChronicleBytes.isComplete(word)) {
                pass(word);
            } else {
                wrong = word(word) + ": readers do not get from there to this batch";
            }
        }
        if (wrong == null && position != wordAt) {
            wrong = "the length words before this batch do not lead to it: readers do not find it";
        }
        index.excerpt(wordAt);
        position = ChronicleBytes.next(batch + length);
        whole &= wrong == null;
        return wrong;
    }

    private void pass(int word) {
        if (ChronicleBytes.isMetadata(word)) {
            index.metadata(position);
        } else {
            index.excerpt(position);
            sawOther = true;
        }
        position = ChronicleBytes.next(position + ChronicleBytes.WORD_BYTES + ChronicleBytes.length(word));
    }

    /** No batch comes after the last; returns what is wrong behind it, or in the index, or null. */
    @Nullable
    public String end() throws IOException {
        long end = position;
        String wrong = tail();
        return wrong == null && whole ? index.check(end) : wrong;
    }

    private @Nullable String tail() throws IOException {
        while (true) {
            if (position + ChronicleBytes.WORD_BYTES > file.size()) {
                return "the file is truncated";
            }
            int word = file.intAt(position);
            if (word == ChronicleBytes.END_OF_DATA || (isLast && !ChronicleBytes.isComplete(word))) {
                return null;
            }
            if (!ChronicleBytes.isComplete(word)) {
                return word(word) + ", where the file's end should be marked: readers do not get to the next file";
            }
            if (!ChronicleBytes.isMetadata(word)) {
                // A batch that is damaged, or that was appended since.
                sawOther |= !isLast;
                return isBatch() ? null : word(word) + " without a batch behind it";
            }
            pass(word);
        }
    }

    private boolean isBatch() throws IOException {
        int bytes = BatchView.headerBytes();
        var header = file.bytesAt(position + ChronicleBytes.WORD_BYTES, bytes);
        return header.limit() == bytes && BatchView.isMagicAt(header, 0);
    }

    private String word(int word) {
        return String.format("length word 0x%08x at byte %d", word, position);
    }
}
