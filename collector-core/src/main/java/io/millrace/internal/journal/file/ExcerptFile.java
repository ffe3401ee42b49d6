package io.millrace.internal.journal.file;

import io.millrace.internal.record.BatchView;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A reader of the excerpts of one file, which may be written at the same time. One thread.
 *
 * <p>It reads the file and does not map it. If a file is truncated or the disk fails, access to mapped memory is a
 * SIGBUS. The JVM turns that into an error later, in unrelated code. A read throws an {@link IOException} at once.
 */
public final class ExcerptFile implements AutoCloseable {
    /** The result of {@link #next()}. */
    public enum Next {
        /** An excerpt, to be viewed with {@link #wrap}. */
        EXCERPT,
        /** No excerpt yet. */
        NOTHING,
        /** The end mark: the next excerpt is in the next file. */
        END
    }

    /** The minimum read size. It doubles with each read up to the maximum, and is reset at the end of the data. */
    private static final int MIN_BYTES = 4 << 10;

    static final int MAX_BYTES = 256 << 10;

    private final Path path;
    private final ByteBuffer word = ByteBuffer.allocateDirect(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private final UninterruptibleChannel channel;
    private final ReadBuffer reused;
    private ByteBuffer memory;
    /** The position in the file of the memory's first byte, and the number of bytes that were read. */
    private long start;

    private int loaded;
    private int ahead = MIN_BYTES;
    /** The position of the next length word, and of the length word of the current excerpt. */
    private long position;

    private long excerpt;
    private int length;

    /**
     * Opens a file at its beginning.
     *
     * @param reused the read buffer, which no other open file uses
     * @throws java.nio.file.NoSuchFileException if the file was deleted
     */
    public ExcerptFile(Path path, ReadBuffer reused) throws IOException {
        this.path = path;
        this.reused = reused;
        this.memory = reused.of(0);
        this.channel = new UninterruptibleChannel(path, StandardOpenOption.READ);
    }

    public Path path() {
        return path;
    }

    /** The position of the next length word. */
    public long position() {
        return position;
    }

    /** True if there is neither an excerpt nor an end mark at the position. */
    public boolean isAtAnUnmarkedEnd() throws IOException {
        int word = wordHere();
        return !ChronicleBytes.isComplete(word) && word != ChronicleBytes.END_OF_DATA;
    }

    /**
     * Moves to the next excerpt and skips Chronicle's own data.
     *
     * @throws IOException if the file ends before the excerpt does, or cannot be read; the message has the position
     * @throws java.nio.file.NoSuchFileException if the file was deleted and the thread was interrupted during the read
     */
    public Next next() throws IOException {
        while (true) {
            int next = wordHere();
            if (next == ChronicleBytes.END_OF_DATA) {
                return Next.END;
            }
            if (!ChronicleBytes.isComplete(next)) {
                ahead = MIN_BYTES;
                return Next.NOTHING;
            }
            int bytes = ChronicleBytes.length(next);
            if (!ChronicleBytes.isMetadata(next)) {
                require(bytes);
                excerpt = position;
                length = bytes;
            }
            position = ChronicleBytes.next(position + ChronicleBytes.WORD_BYTES + bytes);
            if (!ChronicleBytes.isMetadata(next)) {
                return Next.EXCERPT;
            }
        }
    }

    /** Reads the length word at the position; again from the file, if it was incomplete in memory. */
    private int wordHere() throws IOException {
        if (isLoaded(position, ChronicleBytes.WORD_BYTES)) {
            int read = memory.getInt((int) (position - start));
            if (ChronicleBytes.isComplete(read) || read == ChronicleBytes.END_OF_DATA) {
                return read;
            }
        }
        word.clear().limit(ChronicleBytes.WORD_BYTES);
        if (channel.read(word, position) == ChronicleBytes.WORD_BYTES) {
            return word.getInt(0);
        }
        if (position == 0) {
            return 0; // The file is being created.
        }
        throw truncated("the next excerpt should begin at byte " + position);
    }

    private void require(int bytes) throws IOException {
        long end = position + ChronicleBytes.WORD_BYTES + bytes;
        boolean isThere = bytes > BatchView.MAX_BYTES
                ? channel.size() >= end
                : isLoaded(position, ChronicleBytes.WORD_BYTES + bytes)
                        || load(position, ChronicleBytes.WORD_BYTES + bytes);
        if (!isThere) {
            throw truncated("the excerpt at byte " + position + " has " + bytes + " bytes");
        }
    }

    private IOException truncated(String what) throws IOException {
        return new TruncatedException(path + " is truncated or damaged: it has " + channel.size() + " bytes, and "
                + what + "; 'millrace journal verify' lists the damage");
    }

    private boolean isLoaded(long from, int bytes) {
        return from >= start && from + bytes <= start + loaded;
    }

    /** Reads these bytes, and some after them, into memory; false if the file ends first. */
    private boolean load(long from, int bytes) throws IOException {
        int wanted = Math.max(bytes, ahead);
        memory = reused.of(wanted);
        ahead = Math.min(2 * ahead, MAX_BYTES);
        memory.limit(wanted);
        loaded = 0;
        start = from;
        loaded = channel.read(memory, from);
        memory.clear();
        return loaded >= bytes;
    }

    /** Wraps the current excerpt; an excerpt that is too long for a batch becomes an empty view. */
    public void wrap(BatchView view) {
        boolean none = length > BatchView.MAX_BYTES;
        view.wrap(memory, none ? 0 : (int) (excerpt + ChronicleBytes.WORD_BYTES - start), none ? 0 : length);
    }

    /**
     * Reads the current excerpt again and wraps it. The first read may have seen the complete length word, but older
     * data after it.
     */
    public void wrapAgain(BatchView view) throws IOException {
        if (length <= BatchView.MAX_BYTES && !load(excerpt, ChronicleBytes.WORD_BYTES + length)) {
            throw truncated("the excerpt at byte " + excerpt + " has " + length + " bytes");
        }
        wrap(view);
    }

    /** Moves to the end of the data; in a truncated file, to the truncated excerpt. */
    public void toEnd() throws IOException {
        position = lastWritten();
        while (hasNext()) {
            // Usually there are only a few excerpts after the last one in the header.
        }
    }

    /** Like {@link #next}, but a truncated excerpt counts as the end. */
    private boolean hasNext() throws IOException {
        try {
            return next() == Next.EXCERPT;
        } catch (TruncatedException e) {
            return false;
        }
    }

    /** Thrown if the file is shorter than its content requires. */
    private static final class TruncatedException extends IOException {
        private static final long serialVersionUID = 1;

        TruncatedException(String message) {
            super(message);
        }
    }

    /** The sequence number after the last valid batch; -1 if there is none. */
    public long endSequence() throws IOException {
        long last = lastWritten();
        long end = endSequence(last);
        return end < 0 && last > 0 ? endSequence(0) : end;
    }

    private long endSequence(long from) throws IOException {
        BatchView view = new BatchView();
        long end = -1;
        position = from;
        while (hasNext()) {
            wrap(view);
            if (!view.isGood()) {
                wrapAgain(view);
            }
            end = view.isGood() ? view.nextSequence() : end;
        }
        return end;
    }

    /**
     * The position of the last excerpt according to the header, if it is a batch; otherwise the beginning of the file.
     */
    private long lastWritten() throws IOException {
        word.clear();
        if (channel.read(word, ChronicleIndex.WRITE_POSITION) < Long.BYTES) {
            return 0;
        }
        long last = word.getLong(0);
        int bytes = ChronicleBytes.WORD_BYTES + BatchView.headerBytes();
        if (last <= ChronicleIndex.WRITE_POSITION || last >= channel.size() || !load(last, bytes)) {
            return 0;
        }
        int wordThere = memory.getInt(0);
        return ChronicleBytes.isComplete(wordThere)
                        && !ChronicleBytes.isMetadata(wordThere)
                        && BatchView.isMagicAt(memory, ChronicleBytes.WORD_BYTES)
                ? last
                : 0;
    }

    /** Moves to the beginning of the file. */
    public void restart() {
        position = 0;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
