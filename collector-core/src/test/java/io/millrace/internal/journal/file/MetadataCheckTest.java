package io.millrace.internal.journal.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.journal.JournalBytes;
import io.millrace.internal.journal.JournalPaths;
import io.millrace.internal.journal.TestJournal;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import net.openhft.chronicle.core.values.LongValue;
import net.openhft.chronicle.queue.impl.TableStore;
import net.openhft.chronicle.queue.impl.table.Metadata;
import net.openhft.chronicle.queue.impl.table.SingleTableBuilder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetadataCheckTest {
    private static final String LOWEST = "listing.lowestCycle";
    private static final String HIGHEST = "listing.highestCycle";

    @TempDir
    private Path root;

    private Path shard;
    private int pauses;

    @BeforeEach
    void writeOneFile() throws IOException {
        try (TestJournal journal = TestJournal.open(root)) {
            journal.appendNumbered(0, 1, 2);
        }
        shard = JournalPaths.shardPath(root, 0);
        assertThat(MetadataCheck.of(shard)).isNull();
    }

    /** A writer sets the highest number first: for a moment the lowest is that of an empty queue. */
    @Test
    void waitsForAWriterThatListsItsFirstFile() throws IOException {
        long first = set(LOWEST, Integer.MAX_VALUE);
        assertThat(check(() -> set(LOWEST, first))).isNull();
        assertThat(pauses).isOne();
    }

    @Test
    void waitsForAWriterThatListsItsNextFile() throws IOException {
        long last = set(HIGHEST, 0);
        assertThat(check(() -> set(HIGHEST, last))).isNull();
        assertThat(pauses).isOne();
    }

    /** Retention deletes the first file while others are read: the list of files must not be older than the numbers. */
    @Test
    void listsTheFilesAgain() throws IOException {
        Path first = JournalBytes.files(root, 0).get(0);
        Files.copy(first, ChronicleFiles.file(shard, ChronicleFiles.cycleOf(first) + 1));
        set(LOWEST, ChronicleFiles.cycleOf(first) + 1);
        set(HIGHEST, ChronicleFiles.cycleOf(first) + 1);
        assertThat(check(() -> Files.delete(first))).isNull();
        assertThat(pauses).isOne();
    }

    @Test
    void reportsAProblemThatLasts() throws IOException {
        set(LOWEST, Integer.MAX_VALUE);
        assertThat(check(() -> {})).isEqualTo("it lists 2147483647 as the first file, but that is 1");
        assertThat(pauses).isEqualTo(10);
        assertThat(MetadataCheck.of(shard)).isNotNull();
    }

    private @Nullable String check(MetadataCheck.Pause pause) throws IOException {
        return MetadataCheck.of(shard, () -> {
            pauses++;
            pause.run();
        });
    }

    /** Sets a number; returns the earlier one. */
    private long set(String name, long value) {
        File metadata = shard.resolve(ChronicleFiles.METADATA).toFile();
        try (TableStore<?> store = SingleTableBuilder.binary(metadata, Metadata.NoMeta.INSTANCE)
                        .readOnly(false)
                        .build();
                LongValue number = store.acquireValueFor(name)) {
            long before = number.getValue();
            number.setValue(value);
            return before;
        }
    }
}
