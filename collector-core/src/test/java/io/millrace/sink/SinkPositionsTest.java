package io.millrace.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.internal.deliver.PositionFile;
import io.millrace.internal.journal.TestJournal;
import io.millrace.internal.record.TestDatagram;
import io.millrace.journal.Journal;
import io.millrace.journal.Position;
import io.millrace.sink.Positions.Counts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SinkPositionsTest {
    private static final long AT_NS = 1_795_262_400_000_000_000L;

    @TempDir
    Path root;

    private SinkPositions positions() throws IOException {
        return new SinkPositions(Journal.open(root));
    }

    private void fill() throws IOException {
        try (TestJournal journal = TestJournal.open(root, 2)) {
            for (int i = 0; i < 10; i++) {
                journal.append(i % 2, TestDatagram.of("x").at(AT_NS + i * 1_000_000_000L));
            }
        }
    }

    private void set(String sink, StartAt where) throws IOException {
        set(sink, where.sequences(Journal.open(root)));
    }

    private void set(String sink, long[] next) throws IOException {
        positions().set(sink, next);
    }

    @Test
    void setAndForgetChangeTheStoredPositions() throws IOException {
        fill();
        assertThat(positions().all()).isEmpty();
        set("a", StartAt.END);
        assertThat(positions().all().get("a").next()).containsExactly(5, 5);
        set("a", StartAt.time(Instant.ofEpochSecond(AT_NS / 1_000_000_000L + 3)));
        assertThat(positions().all().get("a").next()).containsExactly(2, 1);
        set("a", positions().with("a", new Position(1, 4)));
        assertThat(positions().all().get("a").next()).containsExactly(2, 4);
        set("b", StartAt.BEGIN);
        assertThat(positions().all()).containsOnlyKeys("a", "b");
        assertThat(positions().forget("a")).isTrue();
        assertThat(positions().forget("a")).isFalse();
        assertThat(positions().all()).containsOnlyKeys("b");
    }

    @Test
    void setKeepsTheCounts() throws IOException {
        fill();
        long id = Journal.open(root).meta().journalId();
        PositionFile.of(root, "a").write(new Positions(id, new long[] {3, 3}, new Counts(5, 1, 0, 0)));
        set("a", StartAt.BEGIN);
        assertThat(positions().all().get("a").counts()).isEqualTo(new Counts(5, 1, 0, 0));
    }

    @Test
    void collectorOfThisProcessMayChangeThem() throws IOException {
        try (TestJournal journal = TestJournal.open(root)) {
            journal.appendNumbered(0, 1, 3);
            set("a", StartAt.END);
            assertThat(positions().all().get("a").next(0)).isEqualTo(3);
            assertThat(positions().forget("a")).isTrue();
        }
    }

    @Test
    void setReplacesDamagedPositions() throws IOException {
        fill();
        set("a", StartAt.END);
        Files.writeString(root.resolve("positions/a"), "rubbish");
        assertThatIOException().isThrownBy(() -> positions().all());
        set("a", StartAt.BEGIN);
        assertThat(positions().all().get("a").next(0)).isZero();
    }

    @Test
    void invalidNamesAndPositionsAreRejected() throws IOException {
        fill();
        assertThatIllegalArgumentException().isThrownBy(() -> set("../a", StartAt.END));
        assertThatIllegalArgumentException().isThrownBy(() -> positions().forget("a/b"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> positions().with("a", new Position(2, 0)))
                .withMessage("the journal has 2 shards, numbered from 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> positions().with("a", new Position(0, 6)))
                .withMessage("shard 0 has datagrams up to 4, and the next will be 5: there is no 0/6");
    }
}
