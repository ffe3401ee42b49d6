package io.millrace.journal.file;

import io.millrace.record.BatchView;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file of a shard as readers walk over it: excerpt after excerpt, while it is written or not. One thread.
 *
 * <p>It is read and never mapped. Where a file was interrupted, or the disk fails, memory that is mapped is a SIGBUS, of which the JVM
 * makes an error a moment later, in whatever code runs then; a read is an {@link IOException} here, at once.
 */
public final class ExcerptFile implements AutoCloseable {
    /** What {@link #next()} came to. */
    public enum Next {
        /** An excerpt: {@link #wrap} shows it. */
        EXCERPT,
        /** Nothing yet. */
        NOTHING,
        /** The file's end: what comes is in the next. */
        END
    }

    /** Read at a time: little while waiting for what comes, more and more while there is more. */
    private static final int MIN_BYTES = 4 << 10;

    static final int MAX_BYTES = 256 << 10;

    private final Path path;
    private final ByteBuffer word = ByteBuffer.allocateDirect(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private FileChannel channel;
    private final ReadBuffer reused;
    private ByteBuffer memory;
    /** Where in the file the memory begins, and how much of it was read. */
    private long start;

    private int loaded;
    private int ahead = MIN_BYTES;
    /** Where the next length word is, and where that of the excerpt was that was found. */
    private long position;

    private long excerpt;
    private int length;

    /**
     * Opens it, at its beginning.
     *
     * @param reused what to read into, which no other file is open with
     * @throws java.nio.file.NoSuchFileException if it was deleted
     */
    public ExcerptFile(Path path, ReadBuffer reused) throws IOException {
        this.path = path;
        this.reused = reused;
        this.memory = reused.of(0);
        this.channel = FileChannel.open(path, StandardOpenOption.READ);
    }

    public Path path() {
        return path;
    }

    /** Where the next length word will be. */
    public long position() {
        return position;
    }

    /** True if nothing is there, and the end of the file is not marked. */
    public boolean isAtAnUnmarkedEnd() throws IOException {
        int word = wordHere();
        return !ChronicleBytes.isComplete(word) && word != ChronicleBytes.END_OF_DATA;
    }

    /**
     * Goes to the next excerpt, past what is Chronicle's own.
     *
     * @throws IOException if the file ends before the excerpt does, or cannot be read; says where
     * @throws java.nio.file.NoSuchFileException if it was deleted, and the thread interrupted while it read
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

    /** The word may have become complete since the memory was read. */
    private int wordHere() throws IOException {
        if (isLoaded(position, ChronicleBytes.WORD_BYTES)) {
            int read = memory.getInt((int) (position - start));
            if (ChronicleBytes.isComplete(read) || read == ChronicleBytes.END_OF_DATA) {
                return read;
            }
        }
        word.clear().limit(ChronicleBytes.WORD_BYTES);
        if (read(word, position) == ChronicleBytes.WORD_BYTES) {
            return word.getInt(0);
        }
        if (position == 0) {
            return 0; // It is being made.
        }
        throw cutOff("the next excerpt should begin at byte " + position);
    }

    private void require(int bytes) throws IOException {
        long end = position + ChronicleBytes.WORD_BYTES + bytes;
        boolean isThere = bytes > BatchView.MAX_BYTES
                ? size() >= end
                : isLoaded(position, ChronicleBytes.WORD_BYTES + bytes)
                        || load(position, ChronicleBytes.WORD_BYTES + bytes);
        if (!isThere) {
            throw cutOff("the excerpt at byte " + position + " has " + bytes + " bytes");
        }
    }

    private IOException cutOff(String what) throws IOException {
        return new CutOffException(path + " is truncated or damaged: it has " + size() + " bytes, and " + what
                + "; 'millrace journal verify' tells what is whole");
    }

    private boolean isLoaded(long from, int bytes) {
        return from >= start && from + bytes <= start + loaded;
    }

    /** Has these bytes in memory, and some after them; false if the file ends first. */
    private boolean load(long from, int bytes) throws IOException {
        int wanted = Math.max(bytes, ahead);
        memory = reused.of(wanted);
        ahead = Math.min(2 * ahead, MAX_BYTES);
        memory.limit(wanted);
        loaded = 0;
        start = from;
        loaded = read(memory, from);
        memory.clear();
        return loaded >= bytes;
    }

    /** Shows the excerpt that was found. One that no batch can be is shown as nothing. */
    public void wrap(BatchView view) {
        boolean none = length > BatchView.MAX_BYTES;
        view.wrap(memory, none ? 0 : (int) (excerpt + ChronicleBytes.WORD_BYTES - start), none ? 0 : length);
    }

    /**
     * Shows the excerpt as it is now: what was read together with its length word, while that became complete, may be older than
     * the word.
     */
    public void wrapAgain(BatchView view) throws IOException {
        if (length <= BatchView.MAX_BYTES && !load(excerpt, ChronicleBytes.WORD_BYTES + length)) {
            throw cutOff("the excerpt at byte " + excerpt + " has " + length + " bytes");
        }
        wrap(view);
    }

    /** Goes to where what comes next will be; in a file that is truncated, to where that begins. */
    public void toEnd() throws IOException {
        position = lastWritten();
        while (hasNext()) {
            // Only what was appended since, mostly.
        }
    }

    /** A file that is truncated ends there, for who wants to know where it ends. */
    private boolean hasNext() throws IOException {
        try {
            return next() == Next.EXCERPT;
        } catch (CutOffException e) {
            return false;
        }
    }

    /** The file ends before what it says is in it. */
    private static final class CutOffException extends IOException {
        private static final long serialVersionUID = 1;

        CutOffException(String message) {
            super(message);
        }
    }

    /** The sequence number after the last good batch; -1 if there is none. */
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

    /** Where the header says that the last excerpt is, if there is a batch; else the beginning, from where all is found. */
    private long lastWritten() throws IOException {
        word.clear();
        if (read(word, ChronicleIndex.WRITE_POSITION) < Long.BYTES) {
            return 0;
        }
        long last = word.getLong(0);
        int bytes = ChronicleBytes.WORD_BYTES + BatchView.headerBytes();
        if (last <= ChronicleIndex.WRITE_POSITION || last >= size() || !load(last, bytes)) {
            return 0;
        }
        int wordThere = memory.getInt(0);
        return ChronicleBytes.isComplete(wordThere)
                        && !ChronicleBytes.isMetadata(wordThere)
                        && BatchView.isMagicAt(memory, ChronicleBytes.WORD_BYTES)
                ? last
                : 0;
    }

    /** Reads until the buffer is full or the file ends; returns how many bytes. */
    private int read(ByteBuffer to, long from) throws IOException {
        int begin = to.position();
        return (int) uninterrupted(() -> {
            while (to.hasRemaining() && channel.read(to, from + to.position() - begin) > 0) {
                // There may be more.
            }
            return (long) to.position() - begin;
        });
    }

    private long size() throws IOException {
        return uninterrupted(() -> channel.size());
    }

    private interface Call {
        long run() throws IOException;
    }

    /** The JDK closes the channel of a thread that is interrupted; here it is opened again, and the thread stays interrupted. */
    private long uninterrupted(Call call) throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return call.run();
                } catch (ClosedByInterruptException e) {
                    interrupted |= Thread.interrupted();
                    channel = FileChannel.open(path, StandardOpenOption.READ);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Goes back to the beginning. */
    public void restart() {
        position = 0;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
