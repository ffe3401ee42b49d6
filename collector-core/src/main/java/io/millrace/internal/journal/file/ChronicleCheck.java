package io.millrace.internal.journal.file;

import io.millrace.internal.record.BatchView;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A validator of Chronicle's own data in a file, which readers need to find the batches. From its first byte, a file is
 * a sequence of excerpts: a length word and that number of bytes. One thread.
 */
public final class ChronicleCheck {
    private final FileWindow file;
    private final boolean isLast;
    private final ChronicleIndex index;
    /** The expected position of the next length word. */
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

    /** True if the length words up to the last batch lead here, and there is an excerpt. */
    public boolean isExcerptAt(long wordAt) throws IOException {
        long at = position;
        int word = file.intAt(at);
        while (at < wordAt && ChronicleBytes.isComplete(word) && ChronicleBytes.isMetadata(word)) {
            at = ChronicleBytes.next(at + ChronicleBytes.WORD_BYTES + ChronicleBytes.length(word));
            word = file.intAt(at);
        }
        return at == wordAt && ChronicleBytes.isComplete(word) && !ChronicleBytes.isMetadata(word);
    }

    /** True if there is an excerpt that is not a valid batch of this journal. */
    public boolean sawOther() {
        return sawOther;
    }

    /** Checks the file's header; returns the problem, or null. To be called first. */
    @Nullable
    public String header() throws IOException {
        return index.header();
    }

    /** Checks the data up to the next batch, which begins here; returns the problem, or null. */
    @Nullable
    public String batchAt(long batch, int length) throws IOException {
        long wordAt = batch - ChronicleBytes.WORD_BYTES;
        String wrong = null;
        while (wrong == null && position < wordAt) {
            int word = file.intAt(position);
            if (ChronicleBytes.isComplete(word)) {
                pass(word);
            } else {
                wrong = word(word) + ": readers cannot find this batch from there";
            }
        }
        if (wrong == null && position != wordAt) {
            wrong = "the length words before this batch do not lead to it: readers cannot find it";
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

    /** Checks the data after the last batch, and the index; returns the problem, or null. */
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
                return word(word) + " instead of the end mark of the file: readers cannot find the next file";
            }
            if (!ChronicleBytes.isMetadata(word)) {
                // A damaged batch, or one that was appended after the check began.
                sawOther |= !isLast;
                return isBatch() ? null : word(word) + " without a batch after it";
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
