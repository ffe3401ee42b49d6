package io.millrace.internal.deliver;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.journal.JournalBytes;
import io.millrace.internal.journal.TestJournal;
import io.millrace.journal.Journal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlaceReaderTest {
    @TempDir
    private Path root;

    private final List<String> read = new ArrayList<>();

    private boolean read(PlaceReader reader, int shard, long sequence) throws IOException {
        return reader.read(
                shard, sequence, (datagram, position) -> read.add(position.shard() + ":" + position.sequence()));
    }

    @Test
    void placesInAnyOrderOfAnyShard() throws IOException {
        try (TestJournal journal = TestJournal.openRolling(root, 1, 2);
                PlaceReader reader = new PlaceReader(Journal.open(root))) {
            journal.appendNumbered(0, 3, 5);
            journal.appendNumbered(1, 3, 5);
            for (long sequence : new long[] {0, 1, 7, 14, 14, 3}) {
                assertThat(read(reader, 0, sequence)).isTrue();
            }
            assertThat(read(reader, 1, 4)).isTrue();
            assertThat(read(reader, 0, 4)).isTrue();
            assertThat(read).containsExactly("0:0", "0:1", "0:7", "0:14", "0:14", "0:3", "1:4", "0:4");
            assertThat(read(reader, 0, 15)).isFalse();
            journal.appendNumbered(0, 1, 1);
            assertThat(read(reader, 0, 15)).isTrue();
        }
    }

    @Test
    void placesThatAreNotInTheJournal() throws IOException {
        try (TestJournal journal = TestJournal.open(root);
                PlaceReader reader = new PlaceReader(Journal.open(root))) {
            journal.appendNumbered(0, 3, 5);
            JournalBytes.damage(JournalBytes.batches(root, 0).get(1));
            assertThat(read(reader, 0, 4)).isTrue();
            assertThat(read(reader, 0, 7)).isFalse();
            assertThat(read(reader, 0, 9)).isFalse();
            assertThat(read(reader, 0, 10)).isTrue();
            assertThat(read).containsExactly("0:4", "0:10");
        }
    }
}
