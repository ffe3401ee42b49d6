package io.millrace.output.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.output.Compression;
import io.millrace.output.file.FileRetention.Keep;
import io.millrace.output.internal.name.NameTemplate;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which files of earlier days are deleted or compressed, and which files never are. */
class FileSweepTest {
    private static final Instant NOW = Instant.parse("2026-11-25T12:00:00Z");

    @TempDir
    private Path directory;

    private Instant now = NOW;
    private String keep = "7d";
    private Compression compression = Compression.NONE;
    private Duration idle = Duration.ofMinutes(5);
    private String path = "{date}.log";

    /** An output with this path; another one with the same name is the output after a restart. */
    private final class Sweeper {
        private final Compressor compressor = new Compressor();
        private final FileRetention retention = new FileRetention(Keep.parse(keep), compressor::execute);
        private final OpenFiles files;
        private final FileSweep sweep;

        Sweeper(String output) {
            NameTemplate template = NameTemplate.parse(logs() + "/" + path).in(ZoneId.of("Europe/Berlin"));
            FileSink.Rotation rotation = new FileSink.Rotation(
                    Long.MAX_VALUE, FileSink.Rotation.NEVER.after(), compression, Keep.parse(keep));
            OpenFile.Owner owner =
                    new OpenFile.Owner(this, template.isConstant() ? null : output, template.isOfMessages());
            FileClaims.OF_PROCESS.reserve(this, template);
            files = new OpenFiles(owner, rotation, compressor, retention);
            sweep = new FileSweep(template, rotation, files, retention, compressor, new TestClock(), idle);
        }

        /** Appends a line to a file, as the output does. */
        void write(String file, String line) throws IOException {
            byte[] bytes = (line + "\n").getBytes(UTF_8);
            files.get(logs() + "/" + file).append(bytes, bytes.length, false);
        }

        /** Scans all files, and waits until they are compressed. */
        long run() throws InterruptedException {
            await(sweep::run);
            await(() -> {});
            return retention.deleted();
        }

        /** Runs a task on the thread of the compressor, after its work. */
        private void await(Runnable task) throws InterruptedException {
            CountDownLatch done = new CountDownLatch(1);
            compressor.execute(task);
            compressor.execute(done::countDown);
            assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
        }

        void close() throws IOException {
            files.close();
            FileClaims.OF_PROCESS.releaseAll(this);
            compressor.close();
        }
    }

    private final class TestClock extends Clock {
        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Instant instant() {
            return now;
        }
    }

    @AfterEach
    void nothingIsClaimed() throws IOException {
        for (String file : names()) {
            assertThat(FileClaims.OF_PROCESS.claim(logs().resolve(file), this))
                    .as(file)
                    .isTrue();
        }
        FileClaims.OF_PROCESS.releaseAll(this);
    }

    private Path logs() {
        return directory.resolve("logs");
    }

    /** All files, relative to the directory of the path. */
    private Set<String> names() throws IOException {
        try (Stream<Path> files = Files.walk(logs())) {
            return files.filter(file -> !Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS))
                    .map(file -> logs().relativize(file).toString())
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    /** Creates files, as somebody else does. */
    private void files(int daysAgo, String... names) throws IOException {
        for (String name : names) {
            Path file = logs().resolve(name);
            Files.createDirectories(file.getParent());
            Files.writeString(file, name + "\n");
            written(daysAgo, name);
        }
    }

    private void written(int daysAgo, String... names) throws IOException {
        for (String name : names) {
            Files.setLastModifiedTime(logs().resolve(name), FileTime.from(now.minus(Duration.ofDays(daysAgo))));
        }
    }

    /** Lets an output write files, and ends it. */
    private void filesOfOutput(int daysAgo, String... names) throws IOException {
        Sweeper output = new Sweeper("out");
        for (String name : names) {
            output.write(name, name);
        }
        output.close();
        written(daysAgo, names);
    }

    /** Scans all files, as after a restart. */
    private long sweep() throws IOException, InterruptedException {
        Sweeper output = new Sweeper("out");
        try {
            return output.run();
        } finally {
            output.close();
        }
    }

    private String unpacked(String name) throws IOException {
        try (InputStream in = new GZIPInputStream(Files.newInputStream(logs().resolve(name)))) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }

    @Test
    void datedFilesAreDeletedAfterTheirLastWrite() throws Exception {
        filesOfOutput(8, "2026-11-17.log", "2026-11-18@20261118T100000Z.log", "2026-11-17@20261117T100000Z.log.gz");
        filesOfOutput(6, "2026-11-16.log", "2026-11-19@20261119T100000Z.log", "2026-11-19@20261119T100000Z.1.log.zst");
        files(100, "2026-01-01.log", "2026-01-01@20260101T100000Z.log");
        assertThat(sweep()).isEqualTo(3);
        assertThat(names())
                .as("another program's files stay")
                .containsExactly(
                        "2026-01-01.log",
                        "2026-01-01@20260101T100000Z.log",
                        "2026-11-16.log",
                        "2026-11-19@20261119T100000Z.1.log.zst",
                        "2026-11-19@20261119T100000Z.log");
    }

    @Test
    void fileOfTheCurrentPeriodStays() throws Exception {
        path = "{year}/all.log";
        filesOfOutput(100, "2026/all.log", "2025/all.log");
        assertThat(sweep()).isEqualTo(1);
        assertThat(names()).containsExactly("2026/all.log");
    }

    @Test
    void onlyFileOfAConstantPathStays() throws Exception {
        path = "app.log";
        files(100, "app.log", "app@20260101T000000Z.log", "app@20261120T000000Z.log.gz", "web@20260101T000000Z.log");
        assertThat(sweep()).isEqualTo(1);
        assertThat(names()).containsExactly("app.log", "app@20261120T000000Z.log.gz", "web@20260101T000000Z.log");
    }

    @Test
    void filesOfSilentHostsAreDeleted() throws Exception {
        path = "{hostname}.log";
        filesOfOutput(8, "web.log", "@other.log");
        filesOfOutput(1, "db.log");
        files(8, "auth.log", "auth@20200101T000000Z.log");
        assertThat(sweep()).isEqualTo(2);
        assertThat(names()).as("without the mark").containsExactly("auth.log", "auth@20200101T000000Z.log", "db.log");
    }

    @Test
    void rotatedFilesOfHostsAreDeleted() throws Exception {
        path = "{hostname}.log";
        compression = Compression.GZIP;
        Sweeper output = new Sweeper("out");
        output.write("web.log", "old");
        Instant rotated = NOW.minus(Duration.ofDays(8));
        output.files
                .get(logs() + "/web.log")
                .rotate(new RotatedNames(Clock.fixed(rotated, ZoneOffset.UTC)), output.compressor, compression);
        output.await(() -> {});
        output.close();
        assertThat(names()).containsExactly("web@20261117T120000Z.log.gz");
        Sweeper another = new Sweeper("another");
        assertThat(another.run()).isZero();
        another.close();
        assertThat(sweep()).isEqualTo(1);
        assertThat(names()).isEmpty();
    }

    @Test
    void emptyDirectoriesAreRemoved() throws Exception {
        path = "{date}/{hostname}/{hour}.log";
        filesOfOutput(
                8,
                "2026-11-16/web/10.log",
                "2026-11-16/db/10.log",
                "2026-11-17/web/10.log",
                "2026-11-17/@other/10.log");
        files(8, "2026-11-17/web/notes.txt");
        Files.createDirectories(logs().resolve("2026-11-15/web"));
        Files.createDirectories(logs().resolve("old/web"));
        assertThat(sweep()).isEqualTo(4);
        assertThat(names()).containsExactly("2026-11-17/web/notes.txt");
        assertThat(logs()).isDirectoryNotContaining(file -> file.endsWith("2026-11-16"));
        assertThat(logs().resolve("2026-11-17")).isDirectoryNotContaining(file -> file.endsWith("@other"));
        assertThat(logs().resolve("2026-11-15/web"))
                .as("not emptied by this output")
                .isDirectory();
        assertThat(logs().resolve("old/web")).isDirectory();
        Files.delete(logs().resolve("2026-11-17/web/notes.txt"));
        filesOfOutput(8, "2026-11-17/web/11.log");
        assertThat(sweep()).isEqualTo(1);
        assertThat(logs()).as("the directory of the path stays").isDirectory();
    }

    @Test
    void foreignAndHiddenFilesStay() throws Exception {
        path = "{date}/{hostname}.log";
        filesOfOutput(8, "2026-11-16/web.log");
        files(
                100,
                "2026-11-16/auth.log",
                "2026-11-16/.web.log",
                "2026-11-16/web.log.1",
                "2026-11-16/web.txt",
                "2026-11-16/web@20200101T000000Z.log.bak",
                "2026-11-16/web@2020.log",
                "2026-11-16/@other/web.log",
                "2026-1-16/web.log",
                "x2026-11-16/web.log",
                "2026-11-16.log",
                "2026-11-16/a b.log",
                "2026-11-16/" + "x".repeat(101) + ".log");
        Set<String> before = names();
        assertThat(sweep()).isEqualTo(1);
        before.remove("2026-11-16/web.log");
        assertThat(names()).isEqualTo(before);
        path = "{date}.log";
        files(100, ".2026-11-15.log", "2026-11-15.log.gz", "2026-11-1x.log", "@other.log");
        before = names();
        assertThat(sweep()).isZero();
        assertThat(names()).isEqualTo(before);
    }

    @Test
    void filesOfOtherOutputsStay() throws Exception {
        path = "{hostname}.log";
        filesOfOutput(100, "web.log");
        Sweeper another = new Sweeper("another");
        another.write("db.log", "x");
        another.close();
        written(100, "db.log");
        path = "{year}.log";
        Sweeper reserved = new Sweeper("years");
        path = "{hostname}.log";
        filesOfOutput(100, "x.log");
        Files.move(logs().resolve("x.log"), logs().resolve("2020.log"));
        assertThat(sweep()).isEqualTo(1);
        assertThat(names()).containsExactly("2020.log", "db.log");
        reserved.close();
        assertThat(sweep()).isEqualTo(1);
        assertThat(names()).containsExactly("db.log");
    }

    @Test
    void symbolicLinksAreNotFollowed() throws Exception {
        path = "{date}/{hour}.log";
        Path outside = Files.createDirectories(directory.resolve("outside"));
        filesOfOutput(100, "2026-11-14/10.log");
        for (String each : Set.of("10.log", "11@20200101T000000Z.log")) {
            Files.writeString(outside.resolve(each), "not ours\n");
            Files.setLastModifiedTime(outside.resolve(each), FileTime.from(NOW.minus(Duration.ofDays(100))));
            Files.createSymbolicLink(
                    logs().resolve("2026-11-14").resolve(each.replace("10.", "12.")), outside.resolve(each));
        }
        Files.createSymbolicLink(logs().resolve("2026-11-15"), outside);
        for (Compression each : new Compression[] {Compression.NONE, Compression.GZIP}) {
            compression = each;
            sweep();
            assertThat(outside).isDirectoryContaining("glob:**/10.log").isDirectoryContaining("glob:**/11@*Z.log");
            assertThat(names())
                    .containsExactly("2026-11-14/11@20200101T000000Z.log", "2026-11-14/12.log", "2026-11-15");
        }
    }

    @Test
    void directoryOfThePathMayBeALink() throws Exception {
        Files.createDirectories(directory.resolve("real"));
        Files.createSymbolicLink(logs(), directory.resolve("real"));
        filesOfOutput(8, "2026-11-17.log");
        assertThat(sweep()).isEqualTo(1);
    }

    @Test
    void openFileIsNeverDeleted() throws Exception {
        path = "{hostname}/{date}.log";
        compression = Compression.GZIP;
        Sweeper output = new Sweeper("out");
        output.write("web/2026-11-01.log", "a replay");
        output.write("web/2026-11-24.log", "a replay");
        written(100, "web/2026-11-01.log");
        written(1, "web/2026-11-24.log");
        assertThat(output.run()).isZero();
        assertThat(names()).containsExactly("web/2026-11-01.log", "web/2026-11-24.log");
        assertThat(sweep()).as("somebody else has them open").isZero();
        assertThat(names()).containsExactly("web/2026-11-01.log", "web/2026-11-24.log");
        output.close();
        assertThat(sweep()).isEqualTo(1);
        assertThat(names()).hasSize(1).allMatch(name -> name.endsWith(".log.gz"));
    }

    @Test
    void fileThatIsIdleIsClosedFirst() throws Exception {
        idle = Duration.ZERO;
        path = "{hostname}.log";
        Sweeper output = new Sweeper("out");
        output.write("web.log", "old");
        written(8, "web.log");
        assertThat(output.run()).isEqualTo(1);
        output.write("web.log", "new");
        assertThat(logs().resolve("web.log")).hasContent("new");
        output.close();
    }

    @Test
    void finishedPeriodIsCompressed() throws Exception {
        compression = Compression.GZIP;
        now = Instant.parse("2026-11-24T22:50:00Z");
        Sweeper output = new Sweeper("out");
        output.write("2026-11-24.log", "last");
        assertThat(output.run()).isZero();
        // Midnight in Berlin was ten minutes ago, less a second.
        now = Instant.parse("2026-11-24T23:09:59Z");
        written(0, "2026-11-24.log");
        output.files.close(output.files.get(logs() + "/2026-11-24.log"));
        output.run();
        assertThat(names()).containsExactly("2026-11-24.log");
        Files.setLastModifiedTime(
                logs().resolve("2026-11-24.log"), FileTime.from(Instant.parse("2026-11-24T23:00:01Z")));
        now = Instant.parse("2026-11-24T23:10:01Z");
        output.run();
        assertThat(names()).containsExactly("2026-11-24@20261124T230001Z.log.gz");
        assertThat(unpacked("2026-11-24@20261124T230001Z.log.gz")).isEqualTo("last\n");
        output.close();
    }

    @Test
    void laterMessagesOfAPeriodAreCompressedUnderAFreeName() throws Exception {
        compression = Compression.GZIP;
        path = "{date}/{hostname}.log";
        filesOfOutput(1, "2026-11-24/web.log");
        assertThat(sweep()).isZero();
        String first = "2026-11-24/web@20261124T120000Z.log.gz";
        assertThat(names()).containsExactly(first);
        Sweeper output = new Sweeper("out");
        output.write("2026-11-24/web.log", "replayed");
        output.close();
        written(1, "2026-11-24/web.log");
        sweep();
        String second = "2026-11-24/web@20261124T120000Z.1.log.gz";
        assertThat(names()).containsExactly(second, first);
        assertThat(unpacked(first)).isEqualTo("2026-11-24/web.log\n");
        assertThat(unpacked(second)).isEqualTo("replayed\n");
        now = NOW.plus(Duration.ofDays(6)).plusSeconds(1);
        assertThat(sweep()).as("the time of the last write counts").isEqualTo(2);
        assertThat(logs()).isEmptyDirectory();
    }

    @Test
    void rotatedFilesThatACrashLeftAreCompressed() throws Exception {
        compression = Compression.GZIP;
        filesOfOutput(1, "2026-11-24@20261124T120000Z.log", "2026-11-24@20261124T120000Z.log.unfinished");
        // The crash was before the original was deleted.
        filesOfOutput(1, "2026-11-24@20261124T130000Z.log", "2026-11-24@20261124T130000Z.log.gz");
        filesOfOutput(0, "2026-11-25@20261125T115959Z.log", "2026-11-25.log");
        sweep();
        assertThat(names())
                .containsExactly(
                        "2026-11-24@20261124T120000Z.log.gz",
                        "2026-11-24@20261124T130000Z.log.gz",
                        "2026-11-25.log",
                        "2026-11-25@20261125T115959Z.log");
        assertThat(unpacked("2026-11-24@20261124T120000Z.log.gz")).isEqualTo("2026-11-24@20261124T120000Z.log\n");
        assertThat(unpacked("2026-11-24@20261124T130000Z.log.gz")).isEqualTo("2026-11-24@20261124T130000Z.log\n");
    }

    @Test
    void incompleteCompressedFileIsDeletedWithItsFile() throws Exception {
        path = "{date}/all.log";
        compression = Compression.GZIP;
        filesOfOutput(8, "2026-11-17/all@20261117T120000Z.log", "2026-11-17/all@20261117T120000Z.log.unfinished");
        assertThat(sweep()).isEqualTo(1);
        assertThat(logs()).isEmptyDirectory();
    }

    @Test
    void manyFilesTakeSeveralRuns() throws Exception {
        path = "{year}/{month}/all.log";
        for (int year = 1000; year < 1100; year++) {
            Files.createDirectories(logs().resolve(Integer.toString(year)));
            for (int i = 0; i < 150; i++) {
                Files.createFile(logs().resolve(year + "/other" + i));
            }
            filesOfOutput(100, year + "/01/all.log");
        }
        Sweeper output = new Sweeper("out");
        long first = output.run();
        assertThat(first).isBetween(1L, 99L);
        assertThat(output.run()).isEqualTo(100);
        output.write("1000/01/all.log", "x");
        output.files.close(output.files.get(logs() + "/1000/01/all.log"));
        written(100, "1000/01/all.log");
        assertThat(output.run()).as("the next scan is due in an hour").isEqualTo(100);
        now = now.plus(Duration.ofHours(1));
        assertThat(output.run()).isBetween(100L, 101L);
        assertThat(output.run()).isEqualTo(101);
        output.close();
    }

    @Test
    void directoryMayBeMissing() throws Exception {
        assertThat(logs()).doesNotExist();
        Sweeper output = new Sweeper("out");
        assertThat(output.run()).isZero();
        output.close();
        Files.createDirectories(logs());
    }
}
