package io.millrace.internal.journal.write;

import static io.millrace.internal.journal.JournalChecks.numbered;
import static io.millrace.internal.journal.JournalChecks.readAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.millrace.collector.Counter;
import io.millrace.collector.Distribution;
import io.millrace.collector.SyncSettings;
import io.millrace.internal.agent.AgentRunner;
import io.millrace.internal.disk.Disk;
import io.millrace.internal.disk.Disks;
import io.millrace.internal.disk.RealDisk;
import io.millrace.internal.journal.JournalPaths;
import io.millrace.internal.journal.TestJournal;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SyncTest {
    @TempDir
    Path root;

    @Test
    void waitingBatchesAreSyncedTogetherAndThenCounted() throws IOException {
        try (TestJournal journal = TestJournal.openSynced(root, 1 << 20, SyncSettings.BATCH)) {
            journal.counters(0).reset();
            for (int batch = 0; batch < 4; batch++) {
                journal.submit(0, TestJournal.numbered(0, 2L * batch, 2));
            }
            assertThat(journal.writer(0).doWork()).isEqualTo(4);
            assertThat(journal.writer(0).isDrained()).isTrue();
            assertThat(journal.counters(0).get(Counter.JOURNAL_SYNCS)).isEqualTo(1);
            assertThat(journal.counters(0).get(Counter.JOURNALED_DATAGRAMS)).isEqualTo(8);
            assertThat(journal.counters(0).get(Counter.JOURNALED_BATCHES)).isEqualTo(4);
            assertThat(journal.counters(0).percentiles(Distribution.SYNC).max()).isPositive();
        }
        assertThat(readAll(root, 0)).isEqualTo(numbered(0, 0, 8));
    }

    @Test
    void pageCacheLevelSyncsNothingAndIntervalLevelOnlyNewBatches() throws IOException {
        try (TestJournal journal = TestJournal.openRolling(root, 1)) {
            journal.appendNumbered(0, 2, 1);
            assertThat(journal.counters(0).get(Counter.JOURNAL_SYNCS)).isZero();
        }
        SyncSettings often = SyncSettings.interval(Duration.ofMillis(1));
        try (TestJournal journal = TestJournal.openSynced(root, 1, often)) {
            Syncer syncer = new Syncer(journal.writer(0), journal.appends(), Duration.ofHours(1));
            assertThat(syncer.roleName()).isEqualTo("sync-0");
            journal.appendNumbered(0, 3, 1);
            assertThat(syncer.doWork()).isEqualTo(1);
            journal.appendNumbered(0, 1, 1);
            assertThat(syncer.doWork()).describedAs("an hour has not passed").isZero();
            assertThat(journal.counters(0).get(Counter.JOURNAL_SYNCS)).isEqualTo(1);
            assertThat(journal.writer(0).syncAppended()).isTrue();
            assertThat(journal.writer(0).syncAppended())
                    .describedAs("nothing is new")
                    .isFalse();
        }
        assertThat(readAll(root, 0)).isEqualTo(numbered(0, 0, 6));
    }

    @Test
    void syncingThreadSleepsUntilTheNextSync() throws IOException {
        try (TestJournal journal = TestJournal.openSynced(root, 1, SyncSettings.interval(Duration.ofSeconds(1)))) {
            Syncer syncer = new Syncer(journal.writer(0), journal.appends(), Duration.ofSeconds(1));
            journal.appendNumbered(0, 1, 1);
            assertThat(syncer.doWork()).isEqualTo(1);
            journal.appendNumbered(0, 1, 1);
            int sleeps = 0;
            while (syncer.doWork() == 0) {
                syncer.idle(0);
                sleeps++;
            }
            // A sleep may end early.
            assertThat(sleeps).isBetween(1, 5);
        }
    }

    @Test
    void appendAfterAQuietTimeIsSyncedAtOnce() throws IOException {
        AtomicLong now = new AtomicLong(1);
        Duration second = Duration.ofSeconds(1);
        try (TestJournal journal = TestJournal.openSynced(root, 1, SyncSettings.interval(second))) {
            Syncer syncer = new Syncer(journal.writer(0), journal.appends(), second, now::get);
            journal.appendNumbered(0, 1, 1);
            assertThat(syncer.doWork()).isEqualTo(1);
            now.addAndGet(second.toNanos());
            assertThat(syncer.doWork()).as("nothing is new").isZero();
            now.addAndGet(second.toNanos() / 2);
            journal.appendNumbered(0, 1, 1);
            assertThat(syncer.doWork()).isEqualTo(1);
            journal.appendNumbered(0, 1, 1);
            assertThat(syncer.doWork()).as("a second has not passed").isZero();
            now.addAndGet(second.toNanos());
            assertThat(syncer.doWork()).isEqualTo(1);
        }
    }

    @Test
    void sleepingSyncerIsWokenByAnAppend() throws Exception {
        Duration millisecond = Duration.ofMillis(1);
        try (TestJournal journal = TestJournal.openSynced(root, 1, SyncSettings.interval(millisecond))) {
            Syncer syncer = new Syncer(journal.writer(0), journal.appends(), millisecond);
            AgentRunner runner = AgentRunner.daemon(syncer, syncer::idle);
            runner.start();
            try {
                for (int syncs = 1; syncs <= 5; syncs++) {
                    Thread.sleep(50);
                    journal.appendNumbered(0, 1, 1);
                    int expected = syncs;
                    await().atMost(Duration.ofSeconds(2))
                            .until(() -> journal.counters(0).get(Counter.JOURNAL_SYNCS) == expected);
                }
            } finally {
                runner.close();
            }
        }
    }

    /** The kernel reports a write error once, so a second sync that succeeds proves nothing. */
    @Test
    void failedSyncIsPermanent() throws IOException {
        Disks.register(root, failing("sync"));
        try (ShardSync sync = new ShardSync(root)) {
            sync.began(Files.createFile(root.resolve("a.cq4")));
            assertThatIOException().isThrownBy(sync::sync).withMessageContaining("to disk failed");
            Disks.remove(root);
            assertThatIOException().isThrownBy(sync::sync).withMessageContaining("verify the journal");
            assertThat(sync.problem()).contains("restart");
        } finally {
            Disks.remove(root);
        }
    }

    /** A disk on which a method fails. */
    private static Disk failing(String method) {
        return (Disk) Proxy.newProxyInstance(
                Disk.class.getClassLoader(), new Class<?>[] {Disk.class}, (proxy, called, arguments) -> {
                    if (called.getName().equals(method)) {
                        throw new IOException("Input/output error");
                    }
                    try {
                        return called.invoke(RealDisk.INSTANCE, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** Without a free descriptor, for example. */
    @Test
    void fileThatCannotBeOpenedIsSyncedLater() throws IOException {
        Path file = root.resolve("a.cq4");
        try (ShardSync sync = new ShardSync(root)) {
            sync.began(file);
            assertThatExceptionOfType(NoSuchFileException.class).isThrownBy(sync::sync);
            assertThat(sync.hasFailed()).isFalse();
            assertThat(sync.problem()).contains("cannot open a file for syncing");
            Files.createFile(file);
            sync.sync();
            assertThat(sync.problem()).isNull();
        }
    }

    @Test
    void directoryThatIsMovedAwayIsSyncedWhenItIsBack() throws IOException {
        Path shard = Files.createDirectory(root.resolve("shard"));
        try (ShardSync sync = new ShardSync(shard)) {
            sync.began(Files.createFile(shard.resolve("a.cq4")));
            Path elsewhere = Files.move(shard, root.resolve("elsewhere"));
            assertThatExceptionOfType(NoSuchFileException.class).isThrownBy(sync::sync);
            assertThat(sync.hasFailed()).isFalse();
            Files.move(elsewhere, shard);
            sync.sync();
            assertThat(sync.problem()).isNull();
        }
    }

    @Test
    void completedFilesAreSyncedOnceMoreAndClosed() throws IOException {
        try (ShardSync sync = new ShardSync(root)) {
            for (String name : new String[] {"a", "b", "c"}) {
                sync.began(Files.createFile(root.resolve(name)));
                sync.sync();
            }
            assertThat(sync.problem()).isNull();
        }
    }

    /** RELP would answer for messages that end with the process. */
    @Test
    void nothingIsSafeWhileTheFileHasNoName() throws IOException {
        try (TestJournal journal = TestJournal.openSynced(root, 1 << 20, SyncSettings.BATCH)) {
            journal.appendNumbered(0, 2, 1);
            Path file = JournalPaths.last(JournalPaths.shardPath(root, 0));
            Path away = Files.move(file, root.resolve("away"));
            journal.submit(0, TestJournal.numbered(0, 2, 1));
            assertThat(journal.writer(0).doWork()).isZero();
            assertThat(journal.counters(0).get(Counter.JOURNALED_DATAGRAMS)).isEqualTo(2);
            Files.move(away, file);
            await().until(() -> journal.writer(0).doWork() == 1);
            assertThat(journal.counters(0).get(Counter.JOURNALED_DATAGRAMS)).isEqualTo(3);
        }
        assertThat(readAll(root, 0)).isEqualTo(numbered(0, 0, 3));
    }

    @Test
    void intervalLevelPromisesNothingAfterTheRemovalOfTheFile() throws IOException {
        SyncSettings often = SyncSettings.interval(Duration.ofMillis(1));
        try (TestJournal journal = TestJournal.openSynced(root, 1 << 20, often)) {
            journal.appendNumbered(0, 2, 1);
            Files.delete(JournalPaths.last(JournalPaths.shardPath(root, 0)));
            assertThat(journal.writer(0).syncAppended()).isFalse();
        }
    }

    /** A removed file must not be left behind by the next one, which has a name. */
    @Test
    void removedFileIsNotRolled() throws IOException {
        try (TestJournal journal = TestJournal.openRolling(root, 1)) {
            journal.appendNumbered(0, 1, 1);
            Path file = JournalPaths.last(JournalPaths.shardPath(root, 0));
            Files.delete(file);
            journal.submit(0, TestJournal.numbered(0, 1, 1));
            assertThat(journal.writer(0).doWork()).isZero();
            assertThat(journal.writer(0).problem()).contains(file + " was removed or moved away");
            assertThat(journal.counters(0).get(Counter.JOURNALED_DATAGRAMS)).isEqualTo(1);
        }
    }

    /** Without syncs, the name is checked every ten milliseconds. */
    @Test
    void pageCacheLevelNoticesTheRemovalSoon() throws IOException {
        try (TestJournal journal = TestJournal.openRolling(root, 1L << 30)) {
            journal.appendNumbered(0, 1, 1);
            Files.delete(JournalPaths.last(JournalPaths.shardPath(root, 0)));
            long deletedNs = System.nanoTime();
            int appended = 0;
            int taken;
            do {
                journal.submit(0, TestJournal.numbered(0, 1 + appended, 1));
                taken = journal.writer(0).doWork();
                appended += taken;
            } while (taken > 0 && System.nanoTime() - deletedNs < TimeUnit.SECONDS.toNanos(1));
            assertThat(taken).as("after %d batches", appended).isZero();
            assertThat(System.nanoTime() - deletedNs).isLessThan(TimeUnit.MILLISECONDS.toNanos(500));
        }
    }

    @Test
    void invalidIntervalIsReported() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SyncSettings.interval(Duration.ZERO))
                .withMessageContaining(
                        "sync interval accepts a time such as 500ms, 10s, 2m, 1h or 7d, at least 1ms, not 0ms");
    }
}
