package io.millrace.journal.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.journal.JournalBytes;
import io.millrace.journal.JournalPaths;
import io.millrace.journal.TestJournal;
import java.io.IOException;
import java.nio.file.Path;
import net.openhft.chronicle.queue.impl.TableStore;
import net.openhft.chronicle.queue.impl.table.Metadata;
import net.openhft.chronicle.queue.impl.table.SingleTableBuilder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetadataCheckTest {
    private static final String LOWEST = "listing.lowestCycle";
    private static final String HIGHEST = "listing.highestCycle";

    @TempDir
    private Path root;

    private Path metadata;

    @BeforeEach
    void writeOneFile() throws IOException {
        try (TestJournal journal = TestJournal.open(root)) {
            journal.appendNumbered(0, 1, 2);
        }
        metadata = JournalPaths.shardPath(root, 0).resolve(ChronicleFiles.METADATA);
        assertThat(check()).isNull();
    }

    /** A writer sets the highest number first: for a moment the lowest is that of an empty queue. */
    @Test
    void waitsForAWriterThatListsItsFirstFile() throws Exception {
        long first = set(LOWEST, Integer.MAX_VALUE);
        Thread writer = new Thread(() -> {
            sleep();
            set(LOWEST, first);
        });
        writer.start();
        assertThat(check()).isNull();
        writer.join();
    }

    @Test
    void waitsForAWriterThatListsItsNextFile() throws Exception {
        long last = set(HIGHEST, 0);
        Thread writer = new Thread(() -> {
            sleep();
            set(HIGHEST, last);
        });
        writer.start();
        assertThat(check()).isNull();
        writer.join();
    }

    @Test
    void reportsAProblemThatLasts() throws IOException {
        set(LOWEST, Integer.MAX_VALUE);
        assertThat(check()).isEqualTo("it lists 2147483647 as the first file, but that is 1");
    }

    private String check() throws IOException {
        return MetadataCheck.of(metadata, JournalBytes.files(root, 0));
    }

    /** Sets a number; returns the earlier one. */
    private long set(String name, long value) {
        try (TableStore<?> store = SingleTableBuilder.binary(metadata.toFile(), Metadata.NoMeta.INSTANCE)
                .readOnly(false)
                .build()) {
            var number = store.acquireValueFor(name);
            long before = number.getValue();
            number.setValue(value);
            return before;
        }
    }

    private static void sleep() {
        try {
            Thread.sleep(50);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
