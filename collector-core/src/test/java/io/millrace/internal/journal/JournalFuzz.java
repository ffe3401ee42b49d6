package io.millrace.internal.journal;

import io.millrace.fuzz.FuzzBytes;
import io.millrace.fuzz.FuzzTarget;
import io.millrace.internal.journal.recovery.JournalGap;
import io.millrace.internal.journal.recovery.JournalRepair;
import io.millrace.internal.journal.recovery.JournalScanner;
import io.millrace.internal.journal.recovery.JournalSummary;
import io.millrace.internal.record.BatchView;
import io.millrace.journal.Journal;
import io.millrace.journal.JournalCursor;
import io.millrace.journal.UnknownVersionException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A fuzz test of damaged journals. The input damages the files of a journal. The journal is then verified and read,
 * and, depending on the first byte, repaired or appended to.
 */
public final class JournalFuzz extends FuzzTarget {
    private static final Path MEMORY = Path.of("/dev/shm");
    private static final int SHARDS = 1;
    private static final int MAX_EDITS = 8;
    private static final int BATCHES = 12;
    private static final int ROLL_BYTES = 2_000;
    /** The zeros after the last batch that are kept: only a writer needs them, and it extends the file. */
    private static final int ZEROS = 4096;

    private final List<JournalScanner.Problem> problems = new ArrayList<>();
    private Path folder = Path.of("");
    private final Map<Path, byte[]> contents = new TreeMap<>();
    private @Nullable JournalEdit edit;

    /** Created by reflection. */
    public JournalFuzz() {
        super("journal");
    }

    @Override
    protected int longest() {
        return 256;
    }

    @Override
    protected void take(byte[] bytes) throws IOException {
        Path root = copy();
        try {
            FuzzBytes input = new FuzzBytes(bytes);
            int control = input.u8();
            for (int i = 0; i < MAX_EDITS && !input.isEmpty(); i++) {
                Objects.requireNonNull(edit).apply(input);
            }
            JournalSummary found = scan(root);
            boolean sound = problems.isEmpty();
            read(root, found, sound);
            if ((control & 1) == 0) {
                repair(root, found, sound);
            } else {
                writeOn(root, sound);
            }
        } finally {
            delete(root);
        }
    }

    private Path copy() throws IOException {
        if (edit == null) {
            // A repair syncs its files, which is fast on a file system in memory.
            folder = Files.isWritable(MEMORY)
                    ? Files.createTempDirectory(MEMORY, "millrace-fuzz")
                    : Files.createTempDirectory("millrace-fuzz");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> deleteQuietly(folder)));
            write(folder.resolve("journal"));
        }
        Path root = folder.resolve("copy");
        for (Map.Entry<Path, byte[]> file : contents.entrySet()) {
            Path copy = root.resolve(file.getKey());
            Files.createDirectories(Objects.requireNonNull(copy.getParent()));
            Files.write(copy, file.getValue());
        }
        if (edit == null) {
            edit = new JournalEdit(root, SHARDS);
        }
        return root;
    }

    /** Writes a journal of a few small files. */
    private void write(Path root) throws IOException {
        try (TestJournal writer = TestJournal.openSmall(root, SHARDS, ROLL_BYTES)) {
            for (int batch = 0; batch < BATCHES; batch++) {
                writer.appendNumbered(0, 1, 3 + 5 * batch % 7);
            }
        }
        Map<Path, Long> ends = new HashMap<>();
        for (JournalBytes.Place batch : JournalBytes.batches(root, 0)) {
            ends.put(batch.file(), batch.end() + ZEROS);
        }
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                byte[] all = Files.readAllBytes(file);
                long length = Math.min(all.length, ends.getOrDefault(file, Long.MAX_VALUE));
                contents.put(root.relativize(file), Arrays.copyOf(all, (int) length));
            }
        }
    }

    private JournalSummary scan(Path root) throws IOException {
        problems.clear();
        JournalSummary summary = new JournalScanner(root, problems::add, (at, total) -> {
                    that(at >= 0 && at <= total, at + " of " + total);
                })
                .scan();
        for (JournalScanner.Problem problem : problems) {
            that(problem.file().startsWith(root) && problem.offset() >= 0, problem.toString());
        }
        that(summary.missing() >= 0 && summary.missing() <= notThere(summary), "missing " + summary.missing());
        that(sum(summary) == summary.datagrams(), "datagrams " + summary.datagrams());
        return summary;
    }

    /** All missing datagrams, with or without a gap batch. */
    private static long notThere(JournalSummary summary) {
        return summary.gaps().stream().mapToLong(JournalGap::count).sum();
    }

    private static long sum(JournalSummary summary) {
        return summary.shards().stream()
                .mapToLong(JournalSummary.Shard::datagrams)
                .sum();
    }

    /** Reads the journal: an intact one completely, from a damaged one only intact batches. */
    private static void read(Path root, JournalSummary found, boolean sound) throws IOException {
        long[] read = {0};
        long[] next = new long[SHARDS];
        try (JournalCursor cursor = Journal.open(root).cursor().open()) {
            while (cursor.poll((datagram, position) -> {
                        read[0]++;
                        that(!sound || position.sequence() >= next[position.shard()], "read " + position + " again");
                        next[position.shard()] = position.sequence() + 1;
                        that(datagram.payloadText() != null, "payload");
                    })
                    > 0) {
                that(read[0] <= 1_000_000, "no end");
            }
        } catch (UnknownVersionException e) {
            that(!sound, e.getMessage());
            return;
        } catch (RuntimeException e) {
            if (sound) {
                throw e;
            }
            return;
        }
        that(!sound || read[0] == found.datagrams(), "read " + read[0] + " of " + found.datagrams());
    }

    private void repair(Path root, JournalSummary found, boolean sound) throws IOException {
        JournalRepair.Report report;
        try {
            report = new JournalRepair(root, new long[0], (at, total) -> {}).run();
        } catch (IOException e) {
            that(!sound && String.valueOf(e.getMessage()).length() > 20, String.valueOf(e.getMessage()));
            return;
        }
        that((report.aside() == null) == sound, "repaired " + report.aside());
        JournalSummary after = scan(root);
        that(problems.isEmpty(), "after the repair: " + problems);
        that(after.datagrams() == found.datagrams(), after.datagrams() + " of " + found.datagrams());
        that(after.missing() == 0 && notThere(after) == notThere(found), "not there " + after.gaps());
        read(root, after, true);
    }

    /**
     * Appends, if the start is not refused. Then readers must find the new batches, and no old batch may be
     * overwritten.
     */
    private void writeOn(Path root, boolean sound) throws IOException {
        List<String> there = batches(root);
        try (TestJournal writer = TestJournal.openSmall(root, SHARDS, 100_000)) {
            long next = writer.nextSequence(0);
            writer.appendNumbered(0, 2, 3);
            there.add("" + next);
            there.add("" + (next + 3));
        } catch (IOException | RuntimeException e) {
            that(!sound && String.valueOf(e.getMessage()).contains(folder.toString()), "refused: " + e);
            return;
        }
        List<String> after = batches(root);
        that(after.containsAll(there), there + " were there or written, and " + after + " are");
    }

    /** The intact batches of the journal, by their first sequence numbers. */
    private static List<String> batches(Path root) throws IOException {
        List<String> batches = new ArrayList<>();
        long journalId = MetaFile.load(root).journalId();
        BatchView view = new BatchView();
        for (JournalBytes.Place batch : JournalBytes.batches(root, 0)) {
            ByteBuffer bytes = ByteBuffer.wrap(JournalBytes.read(batch.file(), batch.offset(), batch.length()))
                    .order(ByteOrder.LITTLE_ENDIAN);
            if (view.wrap(bytes, 0, batch.length()).journalId() == journalId) {
                batches.add("" + batch.firstSequence());
            }
        }
        return batches;
    }

    /** Deletes a directory at the end of the process, ignoring errors. */
    static void deleteQuietly(Path directory) {
        try {
            delete(directory);
        } catch (IOException e) {
            System.err.println(directory + " stays: " + e);
        }
    }

    private static void delete(Path directory) throws IOException {
        if (Files.exists(directory)) {
            List<Path> all;
            try (Stream<Path> files = Files.walk(directory)) {
                all = files.sorted(Comparator.reverseOrder()).toList();
            }
            for (Path file : all) {
                Files.delete(file);
            }
        }
    }

    @Override
    protected List<byte[]> seeds() {
        List<byte[]> seeds = new ArrayList<>();
        seeds.add(new byte[] {0});
        seeds.add(new byte[] {1});
        // A file whose index and batches were overwritten with zeros, but whose header was not.
        seeds.add(Base64.getDecoder().decode("CfnO/8P8/P4iAwQ="));
        for (int what = 0; what < 9; what++) {
            for (int then = 0; then < 2; then++) {
                seeds.add(new byte[] {(byte) then, (byte) what, (byte) then, (byte) (7 * what), 0, 60, 3, 1, 2, 3, 4});
            }
        }
        return seeds;
    }
}
