package io.millrace.internal.journal;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.millrace.collector.SyncSettings;
import io.millrace.internal.journal.file.ChronicleFiles;
import io.millrace.internal.journal.recovery.JournalRepair;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Files of a data directory are private, even if the directory is not. */
class PrivateFilesTest {
    private static final int OTHERS = 07;
    private static final int TOO_WIDE_FOR_A_FILE = 07777 & ~0640;

    @TempDir
    private Path parent;

    private Path root;

    @BeforeEach
    void createPublicDirectory() throws IOException {
        root = Files.createDirectory(parent.resolve("data"));
        setMode(root, "rwxr-xr-x");
    }

    @Test
    void newFilesArePrivateInAPublicDirectory() throws IOException {
        fill();
        assertThat(tooWide()).isEmpty();
        assertThat(mode(JournalPaths.shardPath(root, 0).resolve(ChronicleFiles.METADATA)) & OTHERS)
                .isZero();
    }

    /** At a hot restart the process before this one still writes its last files. */
    @Test
    void filesThatAnotherProcessRenamesMeanwhileAreSkipped() throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        FutureTask<Void> other = new FutureTask<>(() -> {
            while (!stop.get()) {
                Path written = Files.createFile(root.resolve("history.new"));
                Files.move(written, root.resolve("history"), StandardCopyOption.REPLACE_EXISTING);
            }
            return null;
        });
        new Thread(other).start();
        try {
            for (int i = 0; i < 3_000; i++) {
                PrivateFiles.narrowAll(root);
            }
        } finally {
            stop.set(true);
            other.get();
        }
    }

    @Test
    void filesOfARepairArePrivate() throws IOException {
        fill();
        Files.delete(JournalBytes.files(root, 0).get(1));
        assertThat(new JournalRepair(root, new long[0], (bytes, total) -> {})
                        .run()
                        .aside())
                .isNotNull();
        assertThat(tooWide()).isEmpty();
    }

    @Test
    void permissionsOfExistingFilesAreRestrictedAndTheirContentIsKept() throws IOException {
        fill();
        Files.writeString(Files.createDirectories(root.resolve("dead-letters")).resolve("out.ndjson"), "{}\n");
        List<Path> all = below(root);
        for (Path path : all) {
            setMode(path, Files.isDirectory(path) ? "rwxrwxr-x" : "rwxrw-rw-");
        }
        try (DataDirectory directory = DataDirectory.open(root)) {
            assertThat(tooWide()).isEmpty();
            assertThat(directory.root()).isEqualTo(root);
        }
        assertThat(JournalChecks.readAll(root, 0)).hasSize(6);
    }

    @Test
    void otherFilesAreNotChanged() throws IOException {
        fill();
        Path other = Files.writeString(root.resolve("archive.log"), "of an output");
        Path target = Files.writeString(parent.resolve("elsewhere"), "behind a link");
        setMode(other, "rw-r--r--");
        setMode(target, "rw-r--r--");
        Files.createSymbolicLink(root.resolve("journal").resolve("link"), target);
        DataDirectory.open(root).close();
        assertThat(mode(other)).isEqualTo(0644);
        assertThat(mode(target)).isEqualTo(0644);
    }

    @Test
    void publicDirectoryIsReportedOnceWithItsModeAtTheStart() throws IOException {
        assertThat(warnings()).singleElement().asString().contains(root.toString(), "0755", "chmod");
        setMode(root, "rwxr-x---");
        assertThat(warnings()).isEmpty();
    }

    private List<String> warnings() throws IOException {
        Logger logger = (Logger) LoggerFactory.getLogger(PrivateFiles.class);
        ListAppender<ILoggingEvent> said = new ListAppender<>();
        said.start();
        logger.addAppender(said);
        try {
            DataDirectory.open(root).close();
        } finally {
            logger.detachAppender(said);
        }
        return said.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    private void fill() throws IOException {
        try (TestJournal journal = TestJournal.openSynced(root, 1, SyncSettings.interval(Duration.ofMillis(100)))) {
            journal.appendNumbered(0, 3, 2);
        }
    }

    private List<String> tooWide() throws IOException {
        List<String> wide = new ArrayList<>();
        for (Path path : below(root)) {
            int excess = mode(path) & (Files.isDirectory(path) ? OTHERS : TOO_WIDE_FOR_A_FILE);
            if (excess != 0) {
                wide.add(String.format("%s %04o", root.relativize(path), mode(path)));
            }
        }
        return wide;
    }

    private static List<Path> below(Path directory) throws IOException {
        try (var files = Files.walk(directory)) {
            return files.filter(path -> !path.equals(directory)).toList();
        }
    }

    private static int mode(Path path) throws IOException {
        return (int) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS) & 07777;
    }

    private static void setMode(Path path, String permissions) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }
}
