package io.millrace.output.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.output.file.FileRetention.Keep;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which rotated files are deleted because of their number, and which files never are. {@link FileSweepTest} is about their age. */
class FileRetentionTest {
    private static final Instant NOW = Instant.parse("2026-11-25T12:00:00Z");

    @TempDir
    private Path directory;

    private void files(String... names) throws IOException {
        for (String name : names) {
            Files.writeString(directory.resolve(name), name);
        }
    }

    private Set<String> names() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private long expire(String keep, String... files) {
        FileRetention retention = new FileRetention(Keep.parse(keep), Runnable::run);
        for (String file : files) {
            retention.expire(directory.resolve(file));
        }
        return retention.deleted();
    }

    @Test
    void keepsTheNewestFiles() throws IOException {
        files("app.log", "app@20261101T000000Z.log", "app@20261101T000000Z.1.log.gz", "app@20261102T000000Z.log.zst");
        assertThat(expire("2", "app.log")).isEqualTo(1);
        assertThat(names()).containsExactly("app.log", "app@20261101T000000Z.1.log.gz", "app@20261102T000000Z.log.zst");
        assertThat(expire("1", "app.log")).isEqualTo(1);
        assertThat(names()).containsExactly("app.log", "app@20261102T000000Z.log.zst");
    }

    /** The number of a deleted file was used again, so that the newest file counted as the oldest. */
    @Test
    void newestFilesStayWhenMoreAreRotatedInASecondThanAreKept() throws IOException {
        RotatedNames names = new RotatedNames(Clock.fixed(NOW, ZoneOffset.UTC));
        files("app@20261125T120000Z.2.log.gz");
        for (int i = 0; i < 20; i++) {
            files("app.log");
            Path target = names.next(
                    directory.resolve("app.log"),
                    file -> Files.exists(file) || Files.exists(file.resolveSibling(file.getFileName() + ".gz")));
            Files.move(directory.resolve("app.log"), target);
            var unused = expire("3", "app.log");
        }
        assertThat(names())
                .containsExactly(
                        "app@20261125T120000Z.18.log", "app@20261125T120000Z.19.log", "app@20261125T120000Z.20.log");
    }

    @Test
    void otherFilesStay() throws IOException {
        Files.createDirectory(directory.resolve("app@20200101T000001Z.log"));
        Files.createSymbolicLink(directory.resolve("app@20200101T000002Z.log"), directory.resolve("app.log"));
        files(
                "app.log",
                "app@20210101T000000Z.log",
                "app.log.1",
                "app-20200101.log",
                "app@2020.log",
                "app@20200101T000000Z.txt",
                "app@20200101T000000Z.log.bak",
                "app@20200101T000000Z.log.unfinished",
                "app@20201399T000000Z.log",
                "xapp@20200101T000000Z.log",
                "app2@20200101T000000Z.log",
                "app2@20210101T000000Z.log",
                "@other@20200101T000000Z.log",
                "@other@20210101T000000Z.log");
        Set<String> before = names();
        assertThat(expire("1", "app.log")).isZero();
        assertThat(names()).isEqualTo(before);
        assertThat(expire("1", "@other.log", "app2.log")).isEqualTo(2);
    }

    /** The name of a rotated file of app.1 is that of the second one of app in a second. */
    @Test
    void fileThatMayBeAnothersStays() throws IOException {
        files("app", "app.1", "app@20200101T000000Z.1", "app@20200101T000000Z", "app@20210101T000000Z");
        assertThat(expire("1", "app")).isEqualTo(1);
        assertThat(names()).containsExactly("app", "app.1", "app@20200101T000000Z.1", "app@20210101T000000Z");
        assertThat(expire("1", "app.1")).isZero();
    }

    @Test
    void oneListingServesAllFilesOfADirectory() throws IOException {
        files("a.log", "a@20200101T000000Z.log", "b.log", "b@20200101T000000Z.log", "c@20200101T000000Z.log");
        files("a@20210101T000000Z.log", "b@20210101T000000Z.log", "c@20210101T000000Z.log");
        List<Runnable> tasks = new ArrayList<>();
        FileRetention retention = new FileRetention(Keep.parse("1"), tasks::add);
        retention.expire(directory.resolve("a.log"));
        retention.expire(directory.resolve("b.log"));
        assertThat(tasks).hasSize(1);
        tasks.get(0).run();
        assertThat(names())
                .containsExactly(
                        "a.log",
                        "a@20210101T000000Z.log",
                        "b.log",
                        "b@20210101T000000Z.log",
                        "c@20200101T000000Z.log",
                        "c@20210101T000000Z.log");
    }

    @Test
    void takesANumberOrATime() {
        assertThat(Keep.parse("100")).isEqualTo(new Keep(100, Keep.ALL.age()));
        assertThat(Keep.parse("30d")).isEqualTo(new Keep(Keep.ALL.files(), Duration.ofDays(30)));
        for (String bad : List.of("0", "0s", "59s", "-1", "all", "30 days")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Keep.parse(bad))
                    .withMessage("accepts a number of files such as 100, or a time such as 30d, at least 1m, not '"
                            + bad + "'");
        }
    }
}
