package io.millrace.journal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A cache of input names by input id. A running collector can add inputs, so the cache is reloaded for an unknown id,
 * at most once per second. One thread.
 */
public final class InputNames {
    private static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);

    private final Journal journal;
    private @Nullable JournalMeta meta;
    private long readNs;

    /** Creates a cache for a journal. */
    public InputNames(Journal journal) {
        this.journal = journal;
    }

    /**
     * Returns the name of an input.
     *
     * @throws UncheckedIOException if the metadata of the journal cannot be read
     */
    public String of(int id) {
        JournalMeta known = meta;
        if (known == null || (id >= known.inputs().size() && System.nanoTime() - readNs > INTERVAL_NS)) {
            try {
                known = journal.meta();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            meta = known;
            readNs = System.nanoTime();
        }
        return known.inputName(id);
    }
}
