package io.millrace.internal.deliver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.millrace.TestSeed;
import io.millrace.sink.Positions;
import io.millrace.sink.Positions.Counts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PositionFileTest {
    @TempDir
    Path root;

    private PositionFile file;
    private Path path;
    private final Positions some = new Positions(-42, new long[] {7, 0, Long.MAX_VALUE}, new Counts(1, 2, 3, 4));

    @BeforeEach
    void open() {
        file = PositionFile.of(root, "out");
        path = root.resolve("positions/out");
    }

    @Test
    void readReturnsTheLastWrittenPositions() throws IOException {
        assertThat(file.read()).isNull();
        file.write(new Positions(1, new long[0], Counts.NONE));
        file.write(some);
        assertThat(file.read()).isEqualTo(some);
        assertThat(some.next(2)).isEqualTo(Long.MAX_VALUE);
        assertThat(some.next(3)).isZero();
        assertThat(file.delete()).isTrue();
        assertThat(file.read()).isNull();
    }

    @Test
    void endIsKept() throws IOException {
        Instant to = Instant.parse("2026-11-21T08:30:00.000000001Z");
        Positions unfinished = some.within(new Positions.Range(to, new long[] {7, 1, 0}));
        file.write(unfinished);
        assertThat(file.read()).isEqualTo(unfinished).isNotEqualTo(some);
        assertThat(unfinished.isFinished()).isFalse();
        Positions finished = some.within(new Positions.Range(to, new long[] {7}));
        file.write(finished);
        assertThat(file.read()).isEqualTo(finished).isNotEqualTo(unfinished);
        assertThat(finished.isFinished()).isTrue();
        assertThat(finished.upTo(0, 9)).isEqualTo(7);
        assertThat(finished.upTo(1, 9)).isZero();
        file.write(some.within(new Positions.Range(to, new long[0])));
        assertThat(Objects.requireNonNull(file.read()).isFinished()).isTrue();
    }

    @Test
    void onlyOwnerAndGroupCanReadTheFile() throws IOException {
        file.write(some);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                .isEqualTo("rw-r-----");
    }

    @Test
    void everyDamageIsReported() throws IOException {
        file.write(some);
        byte[] good = Files.readAllBytes(path);
        Random random = TestSeed.random(PositionFileTest.class);
        for (int i = 0; i < good.length; i++) {
            byte[] bad = good.clone();
            bad[i] ^= (byte) (1 << random.nextInt(7));
            Files.write(path, bad);
            assertThatIOException().isThrownBy(file::read).withMessageContaining("positions/out is damaged (");
        }
        for (int length = 0; length < good.length; length++) {
            Files.write(path, java.util.Arrays.copyOf(good, length));
            assertThatIOException().isThrownBy(file::read).withMessageContaining("positions/out is damaged (");
        }
    }

    @Test
    void failedWriteKeepsTheOldFile() throws IOException {
        file.write(some);
        Files.createDirectory(root.resolve("positions/out~"));
        assertThatIOException().isThrownBy(() -> file.write(new Positions(1, new long[0], Counts.NONE)));
        assertThat(file.read()).isEqualTo(some);
    }
}
