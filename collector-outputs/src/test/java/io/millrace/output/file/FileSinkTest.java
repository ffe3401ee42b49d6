package io.millrace.output.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.github.luben.zstd.ZstdInputStream;
import io.millrace.collector.Collector;
import io.millrace.internal.format.RawFormat;
import io.millrace.output.Compression;
import io.millrace.output.Mount;
import io.millrace.output.SinkContract;
import io.millrace.output.TestServer;
import io.millrace.output.internal.name.NameLimit;
import io.millrace.output.internal.name.NameTemplate;
import io.millrace.sink.Adjustment;
import io.millrace.sink.Output;
import io.millrace.sink.Refusal;
import io.millrace.sink.Sink;
import io.millrace.sink.SinkSettings;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Files in a directory, which is away during an outage. */
@Tag("once")
class FileSinkTest extends SinkContract {
    private String path = "all.log";
    private FileSink.Rotation rotation = FileSink.Rotation.NEVER;
    private int maxNames = 10_000;
    private FileSettings.Sync sync = FileSettings.Sync.NONE;

    private boolean ended;

    @AfterEach
    void end() {
        ended = true;
    }

    private Path logs() {
        return directory.resolve("logs");
    }

    @Override
    protected TestServer newServer() {
        return new Logs();
    }

    @Override
    protected Sink newSink() {
        return new FileSink(
                "out",
                new RawFormat(),
                NameTemplate.parse(logs() + "/" + path),
                rotation,
                sync,
                new NameLimit(maxNames, maxNames, System::nanoTime));
    }

    @Override
    protected boolean refusesNothing() {
        return true;
    }

    @Override
    protected void expectHostileMessages() throws Exception {
        maxNames = 50;
        restartWith("{hostname}/{appname}.log", FileSink.Rotation.NEVER);
    }

    @Override
    protected boolean isAcknowledged() {
        return false;
    }

    @Override
    protected void rejectedRecordBecomesADeadLetterWithoutDelay() {
        // A file refuses nothing.
    }

    @Override
    protected byte[] refusedPayload() {
        throw new UnsupportedOperationException();
    }

    @Override
    protected String refusal() {
        throw new UnsupportedOperationException();
    }

    @Override
    protected void slowDestinationOnlyDelays() {
        // How long a file takes is up to the disk.
    }

    /** Collects all that is in the directory, renamed and compressed files too, the oldest first. */
    private final class Logs implements TestServer {
        private final Path away = directory.resolve("away");

        @Override
        public void start() throws IOException {
            Files.deleteIfExists(logs());
            if (Files.exists(away)) {
                Files.move(away, logs());
            }
        }

        @Override
        public void close() throws IOException {
            if (Files.isDirectory(logs()) && !ended) {
                Files.move(logs(), away);
                Files.createFile(logs());
                try {
                    // An open file is looked for every second.
                    TimeUnit.MILLISECONDS.sleep(1100);
                } catch (InterruptedException e) {
                    throw (IOException) new InterruptedIOException().initCause(e);
                }
            }
        }

        @Override
        public List<String> received() {
            List<String> lines = new ArrayList<>();
            try (Stream<Path> files = Files.walk(logs())) {
                for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                    lines.addAll(read(file).lines().toList());
                }
            } catch (IOException | UncheckedIOException e) {
                // One of them is just being renamed.
                return List.of();
            }
            return lines;
        }

        @Override
        public void delay(long ms) {
            throw new UnsupportedOperationException();
        }
    }

    private static String read(Path file) throws IOException {
        String name = file.toString();
        try (InputStream plain = Files.newInputStream(file);
                InputStream in = name.endsWith(".gz")
                        ? new GZIPInputStream(plain)
                        : name.endsWith(".zst") ? new ZstdInputStream(plain) : plain) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }

    /** Starts again with other settings. */
    private void restartWith(String newPath, FileSink.Rotation newRotation) throws Exception {
        collector().close();
        path = newPath;
        rotation = newRotation;
        startCollectorAgain();
    }

    /** May throw an {@code UncheckedIOException} while one of them is renamed. */
    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.walk(logs())) {
            return files.filter(Files::isRegularFile)
                    .map(file -> logs().relativize(file).toString())
                    .sorted()
                    .toList();
        }
    }

    private void awaitDelivered() {
        await().atMost(SOON).until(() -> status().pending() == 0);
    }

    @Test
    void newFilesHaveMode640() throws IOException {
        send(0, 1);
        awaitDelivered();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(logs().resolve("all.log"))))
                .isEqualTo("rw-r-----");
    }

    @Test
    void truncatesAnIncompleteLineAfterACrash() throws Exception {
        send(0, 3);
        awaitDelivered();
        collector().close();
        Path file = logs().resolve("all.log");
        Files.writeString(file, Files.readString(file) + "<34>1 2026-11-21T10:00:00.123Z host app - - - n=");
        startCollectorAgain();
        send(3, 6);
        awaitDelivered();
        assertThat(arrived()).isEqualTo(numbers(0, 6));
    }

    @Test
    void hostileFieldValuesCannotLeaveTheDirectory() throws Exception {
        restartWith("{hostname}/{appname}.log", FileSink.Rotation.NEVER);
        List<String> headers = List.of(
                "<34>1 - ../../etc passwd - - - n=0;",
                "<34>1 - .. .hidden - - - n=1;",
                "<34>1 - - - - - - n=2;",
                "<34>1 - a/b " + "c".repeat(300) + " - - - n=3;",
                "<34>1 - 2001:db8::1 app - - - n=4;");
        send(headers.stream().map(header -> header.getBytes(UTF_8)).toList());
        awaitDelivered();
        assertThat(names())
                .containsExactlyInAnyOrder(
                        "_._.._etc/passwd.log",
                        "_./_hidden.log",
                        "-/-.log",
                        "a_b/" + "c".repeat(100) + ".log",
                        "2001:db8::1/app.log");
        assertThat(arrived()).hasSize(5);
    }

    @Test
    void writesMoreFilesThanMayBeOpen() throws Exception {
        restartWith("{appname}.log", FileSink.Rotation.NEVER);
        List<byte[]> payloads = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            payloads.add(("<34>1 - h app" + i % 300 + " - - - n=" + i + ";").getBytes(UTF_8));
        }
        send(payloads);
        awaitDelivered();
        assertThat(names()).hasSize(300);
        assertThat(arrived()).containsExactlyInAnyOrderElementsOf(numbers(0, 600));
    }

    @Test
    void closedFileIsRotatedInTime() throws Exception {
        Duration after = Duration.ofSeconds(1);
        restartWith("{appname}.log", new FileSink.Rotation(Long.MAX_VALUE, after, Compression.NONE));
        List<byte[]> payloads = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            payloads.add(("<34>1 - h app" + i + " - - - n=" + i + ";").getBytes(UTF_8));
        }
        send(payloads);
        awaitDelivered();
        assertThat(names()).hasSize(300);
        await().pollDelay(after).until(() -> true);
        send(payloads);
        awaitDelivered();
        assertThat(names()).hasSize(600);
    }

    @Test
    void rotatesAndCompressesAFullFile() throws Exception {
        for (Compression compression : Compression.values()) {
            String stem = compression.name();
            restartWith(stem + ".log", new FileSink.Rotation(4096, Duration.ofDays(1), compression));
            int before = arrived().size();
            send(before, before + 300);
            awaitDelivered();
            String suffix = compression == Compression.GZIP ? ".gz" : compression == Compression.ZSTD ? ".zst" : "";
            await().atMost(SOON)
                    .ignoreException(UncheckedIOException.class)
                    .untilAsserted(() -> assertThat(names())
                            .filteredOn(name -> name.startsWith(stem) && !name.equals(stem + ".log"))
                            .isNotEmpty()
                            .allMatch(name -> name.matches(stem + "@\\d{8}T\\d{6}Z(\\.\\d+)?\\.log" + suffix)));
            assertThat(arrived()).containsExactlyInAnyOrderElementsOf(numbers(0, before + 300));
        }
    }

    @Test
    void deletesOldRotatedFiles() throws Exception {
        restartWith(
                "kept.log",
                new FileSink.Rotation(4096, Duration.ofDays(1), Compression.GZIP, FileRetention.Keep.parse("2")));
        Files.createDirectories(logs());
        Files.writeString(logs().resolve("other@20200101T000000Z.log"), "not ours\n");
        for (int i = 0; i < 6; i++) {
            send(300 * i, 300 * i + 300);
            awaitDelivered();
        }
        await().atMost(SOON)
                .ignoreException(UncheckedIOException.class)
                .untilAsserted(() -> assertThat(names())
                        .filteredOn(name -> name.matches("kept@.*\\.log\\.gz"))
                        .hasSize(2));
        assertThat(names()).contains("kept.log", "other@20200101T000000Z.log");
        assertThat(status().filesDeleted()).isPositive();
    }

    @Test
    void deletesAndCompressesFilesOfEarlierDaysAfterARestart() throws Exception {
        restartWith("{appname}/{date}.log", FileSink.Rotation.NEVER);
        send(0, 1);
        awaitDelivered();
        collector().close();
        Path today = logs().resolve("app/" + LocalDate.now(ZoneOffset.UTC) + ".log");
        for (int day : new int[] {20, 29}) {
            Path file = logs().resolve("app/2000-01-" + day + ".log");
            // A copy with the mark of the output.
            Files.copy(today, file, StandardCopyOption.COPY_ATTRIBUTES);
            Instant written = Instant.now().minus(Duration.ofDays(30 - day));
            Files.setLastModifiedTime(file, FileTime.from(written));
        }
        restartWith(
                "{appname}/{date}.log",
                new FileSink.Rotation(
                        Long.MAX_VALUE, Duration.ofDays(1), Compression.GZIP, FileRetention.Keep.parse("7d")));
        send(1, 2);
        await().atMost(SOON)
                .ignoreException(UncheckedIOException.class)
                .untilAsserted(() -> assertThat(names())
                        .hasSize(2)
                        .contains("app/" + today.getFileName())
                        .anyMatch(name -> name.matches("app/2000-01-29@\\d{8}T\\d{6}Z\\.log\\.gz")));
        awaitDelivered();
        assertThat(status().filesDeleted()).isEqualTo(1);
    }

    @Test
    void recreatesARenamedFile() throws IOException {
        send(0, 10);
        awaitDelivered();
        Files.move(logs().resolve("all.log"), logs().resolve("all.log.1"));
        await().atMost(SOON).until(() -> {
            send(arrived().size(), arrived().size() + 1);
            awaitDelivered();
            return Files.exists(logs().resolve("all.log"));
        });
        assertThat(arrived()).doesNotHaveDuplicates();
    }

    @Test
    void syncsEachBatchIfConfigured() throws Exception {
        sync = FileSettings.Sync.BATCH;
        restartWith("synced.log", FileSink.Rotation.NEVER);
        send(0, 100);
        awaitDelivered();
        assertThat(arrived()).isEqualTo(numbers(0, 100));
    }

    @Test
    void reportsADirectoryThatCannotBeCreated() throws Exception {
        Files.createDirectories(logs());
        Files.createFile(directory.resolve("file"));
        restartWith("../file/x.log", FileSink.Rotation.NEVER);
        send(0, 1);
        await().atMost(SOON).until(() -> status().problem() != null);
        assertThat(status().problem()).contains("file");
        Files.delete(directory.resolve("file"));
        awaitDelivered();
    }

    @Test
    void waitsForAFileLockedByAnotherProcess() throws Exception {
        Files.createDirectories(logs());
        OpenFile other = OpenFile.open(logs().resolve("two.log"), new OpenFile.Owner(new Object(), null, false));
        restartWith("two.log", FileSink.Rotation.NEVER);
        send(0, 1);
        await().atMost(SOON).until(() -> status().problem() != null);
        assertThat(status().problem())
                .contains("another output writes to " + logs() + "/two.log: a file belongs to one output");
        other.append("n=7;\n".getBytes(UTF_8), 5, false);
        other.close();
        awaitDelivered();
        assertThat(arrived()).containsExactly(7, 0);
    }

    @Test
    void appendsToATruncatedFile() throws IOException {
        send(0, 10);
        awaitDelivered();
        Files.write(logs().resolve("all.log"), new byte[0]);
        send(10, 20);
        awaitDelivered();
        assertThat(Files.readAllBytes(logs().resolve("all.log"))).doesNotContain(0);
        assertThat(arrived()).isEqualTo(numbers(10, 20));
    }

    private void send(Stream<String> headers) throws IOException {
        send(headers.map(it -> ("<34>1 - " + it).getBytes(UTF_8)).toList());
    }

    private String text(String file) throws IOException {
        return Files.readString(logs().resolve(file));
    }

    @Test
    void usesTheFallbackFileForUnusableNames() throws Exception {
        Files.createDirectories(logs().resolve("taken/a.log"));
        Files.createFile(logs().resolve("file"));
        restartWith("{hostname}/{appname}.log", FileSink.Rotation.NEVER);
        send(Stream.of("taken a - - - n=0;", "file a - - - n=1;", "good a - - - n=2;", "taken b - - - n=3;"));
        awaitDelivered();
        assertThat(arrived()).containsExactlyInAnyOrder(0, 1, 2, 3);
        assertThat(text("@other/@other.log")).contains("n=0;", "n=1;").doesNotContain("n=2;", "n=3;");
        assertThat(status().adjusted()).containsEntry(Adjustment.RENAMED, 2L);
        assertThat(status().counts().deadLettered()).isZero();
    }

    @Test
    void doesNotAppendToRotatedFiles() throws Exception {
        rotation = new FileSink.Rotation(1024, Duration.ofDays(1), Compression.ZSTD);
        restartWith("{hostname}", rotation);
        for (int round = 0; round < 4; round++) {
            send(IntStream.range(0, 30).mapToObj(i -> "web app - - - n=" + i + "; " + "x".repeat(50)));
            awaitDelivered();
        }
        await().atMost(SOON)
                .until(() -> names().stream().filter(it -> it.endsWith(".zst")).count() > 1);
        List<String> archives =
                names().stream().filter(it -> it.endsWith(".zst")).toList();
        // As archives were named before, and as they are now: a field has no @, which becomes an underscore.
        Path old = logs().resolve("web-20261123T222148Z.zst");
        Files.copy(logs().resolve(archives.get(0)), old);
        byte[] before = Files.readAllBytes(old);
        send(Stream.concat(
                        archives.stream(), Stream.of("web-20261123T222148Z.zst", "web-20261123T222148Z.zst.unfinished"))
                .map(host -> host + " app - - - n=99;"));
        awaitDelivered();
        assertThat(Files.readAllBytes(old)).isEqualTo(before);
        assertThat(names()).containsAll(archives);
        for (String archive : archives) {
            assertThat(read(logs().resolve(archive)).lines()).isNotEmpty().allMatch(line -> line.contains(" web app "));
        }
        assertThat(text("@other")).contains("web-20261123T222148Z.zst app");
    }

    @Test
    void appendsOnlyToItsOwnFilesAfterARestart() throws Exception {
        restartWith("{hostname}.log", FileSink.Rotation.NEVER);
        send(Stream.of("web app - - - n=0;"));
        awaitDelivered();
        Files.writeString(logs().resolve("auth.log"), "not of this service");
        restartWith("{hostname}.log", FileSink.Rotation.NEVER);
        send(Stream.of("web app - - - n=1;", "auth app - - - n=2;"));
        awaitDelivered();
        assertThat(text("web.log")).contains("n=0;", "n=1;");
        assertThat(text("auth.log")).isEqualTo("not of this service");
        assertThat(text("@other.log")).contains("n=2;");
    }

    @Test
    void usesTheFallbackFileBeyondTheNameLimit() throws Exception {
        maxNames = 20;
        restartWith("{hostname}.log", FileSink.Rotation.NEVER);
        send(Stream.of("web app - - - n=0;"));
        awaitDelivered();
        send(IntStream.range(1, 500).mapToObj(i -> "evil" + i + " app - - - n=" + i + ";"));
        send(Stream.of("web app - - - n=500;"));
        awaitDelivered();
        assertThat(names()).hasSize(21);
        assertThat(text("web.log")).contains("n=0;", "n=500;");
        assertThat(arrived()).containsExactlyInAnyOrderElementsOf(numbers(0, 501));
        assertThat(status().adjusted()).containsEntry(Adjustment.RENAMED, 480L);
        restartWith("{hostname}.log", FileSink.Rotation.NEVER);
        send(Stream.of("web app - - - n=501;"));
        awaitDelivered();
        assertThat(text("web.log")).as("what is there costs nothing new").contains("n=501;");
    }

    @Test
    void messageCannotSelectTheFileOfAnotherOutput() throws Exception {
        path = "{hostname}.log";
        try (Collector both = startCollector(new FileSink(
                "all",
                new RawFormat(),
                NameTemplate.parse(logs() + "/../logs/{year}.log"),
                rotation,
                sync,
                new NameLimit(1, 1, System::nanoTime)))) {
            int year = ZonedDateTime.now(ZoneOffset.UTC).getYear();
            send(Stream.of(year + " app - - - n=0;", "web app - - - n=1;"));
            await().atMost(SOON).until(() -> both.outputs().stream().allMatch(it -> it.pending() == 0));
            assertThat(text(year + ".log")).contains("n=0;", "n=1;");
            assertThat(text("web.log")).contains("n=1;");
            assertThat(text("@other.log")).contains("n=0;").doesNotContain("n=1;");
        }
    }

    @Test
    void foreignFallbackFileDoesNotBlockOtherFiles() throws Exception {
        Files.createDirectories(logs());
        Files.writeString(logs().resolve("@other.log"), "of somebody else\n");
        Files.createDirectories(logs().resolve("taken.log"));
        restartWith("{hostname}.log", FileSink.Rotation.NEVER);
        send(Stream.of("taken app - - - n=0;", "web app - - - n=1;"));
        awaitDelivered();
        assertThat(text("web.log")).contains("n=1;");
        assertThat(text("@other.log")).isEqualTo("of somebody else\n");
        assertThat(status().refused()).containsEntry(Refusal.NAME, 1L);
    }

    @Test
    void unusedSinkClaimsNoFile() throws Exception {
        restartWith("{hostname}.log", FileSink.Rotation.NEVER);
        send(Stream.of("web app - - - n=0;"));
        awaitDelivered();
        FileSink unused = new FileSink(
                "unused",
                new RawFormat(),
                NameTemplate.parse(logs() + "/web.log"),
                rotation,
                sync,
                new NameLimit(1, 1, System::nanoTime));
        send(Stream.of("web app - - - n=1;"));
        awaitDelivered();
        unused.close();
        assertThat(names()).containsExactly("web.log");
        assertThat(status().retries()).isZero();
    }

    @Test
    void directoryNameMayContainBraces() throws Exception {
        Path real = Files.createDirectories(directory.resolve("a{b"));
        Files.createDirectories(logs());
        Files.createSymbolicLink(logs().resolve("link"), real);
        restartWith("link/all.log", FileSink.Rotation.NEVER);
        send(0, 1);
        awaitDelivered();
        assertThat(real.resolve("all.log")).content().contains("n=0;");
    }

    @Test
    void addedOutputReclaimsItsFile() throws Exception {
        restartWith("{hostname}.log", FileSink.Rotation.NEVER);
        send(Stream.of("all app - - - n=0;"));
        awaitDelivered();
        FileSink added = new FileSink(
                "all",
                new RawFormat(),
                NameTemplate.parse(logs() + "/all.log"),
                rotation,
                sync,
                new NameLimit(1, 1, System::nanoTime));
        collector().setOutputs(Set.of("out"), List.of(new Output(SinkSettings.of("all"), added)));
        await().atMost(SOON).until(() -> text("all.log").lines().count() == 2);
        send(Stream.of("all app - - - n=1;"));
        await().atMost(SOON).until(() -> collector().outputs().stream().allMatch(it -> it.pending() == 0));
        assertThat(text("all.log").lines().map(line -> line.substring(line.length() - 4)))
                .containsExactly("n=0;", "n=0;", "n=1;");
        assertThat(text("@other.log")).contains("n=1;").doesNotContain("n=0;");
    }

    @Test
    void retriesOnAReadOnlyFileSystem() throws Exception {
        assumeThat(Mount.isPossible()).as("mounting needs root").isTrue();
        Files.createDirectories(logs());
        try (Mount mount = Mount.tmpfs(logs(), "1m")) {
            restartWith("{hostname}.log", FileSink.Rotation.NEVER);
            send(Stream.of("web app - - - n=0;"));
            awaitDelivered();
            collector().close();
            mount.remount("ro");
            startCollectorAgain();
            send(Stream.of("web app - - - n=1;", "new app - - - n=2;"));
            await().atMost(SOON).until(() -> status().problem() != null);
            assertThat(status().problem()).contains("Read-only file system");
            mount.remount("rw");
            awaitDelivered();
            assertThat(text("web.log")).contains("n=1;");
            assertThat(text("new.log")).contains("n=2;");
            assertThat(status().counts().deadLettered()).isZero();
            collector().close();
        }
    }

    @Test
    void retriesWhileTheDirectoryIsMissing() throws Exception {
        Files.deleteIfExists(logs());
        Files.createFile(logs());
        restartWith("{hostname}.log", FileSink.Rotation.NEVER);
        send(0, 3);
        await().atMost(SOON).until(() -> status().problem() != null);
        Files.delete(logs());
        awaitDelivered();
        assertThat(arrived()).isEqualTo(numbers(0, 3));
    }

    @Test
    void doesNotTruncateAFileWithoutLineFeeds() throws Exception {
        Files.createDirectories(logs());
        for (int length : new int[] {10, 2 << 20}) {
            String name = "old" + length + ".log";
            Files.writeString(logs().resolve(name), "n=99;" + "x".repeat(length));
            restartWith(name, FileSink.Rotation.NEVER);
            send(1, 2);
            awaitDelivered();
            assertThat(Files.readAllLines(logs().resolve(name)))
                    .hasSize(2)
                    .first()
                    .isEqualTo("n=99;" + "x".repeat(length));
        }
    }

    @Test
    void compressedFileKeepsTheMode() throws Exception {
        restartWith("c.log", new FileSink.Rotation(4096, Duration.ofDays(1), Compression.GZIP));
        send(0, 300);
        awaitDelivered();
        await().atMost(SOON)
                .ignoreException(UncheckedIOException.class)
                .untilAsserted(
                        () -> assertThat(names()).isNotEmpty().allMatch(name -> name.matches("c(\\.log|@.*gz)")));
        for (String name : names()) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(logs().resolve(name))))
                    .isEqualTo("rw-r-----");
        }
    }
}
