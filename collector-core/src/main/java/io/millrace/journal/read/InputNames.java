package io.millrace.journal.read;

import io.millrace.journal.JournalMeta;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The names of inputs by the numbers that stand in datagrams. A collector that runs may add inputs: an unknown one is looked
 * up again, every second at most. One thread.
 */
public final class InputNames {
    private static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);

    private final Journal journal;
    private @Nullable JournalMeta meta;
    private long readNs;

    /** Of a journal. */
    public InputNames(Journal journal) {
        this.journal = journal;
    }

    /**
     * The name of an input.
     *
     * @throws UncheckedIOException if the journal's description cannot be read
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
