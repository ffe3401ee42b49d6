package io.millrace.bench.trial;

import io.millrace.bench.subject.Launch;
import io.millrace.bench.subject.RunningSubject;
import io.millrace.bench.subject.Subject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Runs trials, one at a time. A receiver is a fresh process on an empty directory, for one of them or a series. */
public final class Trials implements TrialRunner {
    /** What a receiver may write for each datagram besides its payload. */
    private static final int OVERHEAD_BYTES = 24;

    /** Files are mapped and grown in large pieces. */
    private static final long SPARE_BYTES = 256 << 20;

    private final Settings settings;
    private int number;

    /**
     * What all trials of a run have in common.
     *
     * @param work an empty directory for what receivers write; each trial's is deleted after it
     * @param receiveBufferBytes what each receiver asks for
     * @param warmUpSeconds how long a receiver is loaded before it is measured, at the rate of the trial
     * @param senderProcessors where the sender runs; empty for anywhere
     * @param receiverProcessors where receivers run; empty for anywhere
     * @param share what they may use of a CPU's time; null for all
     * @param toleratedPercent how far the sender may fall short of its rate before a trial is void
     */
    public record Settings(
            Path work,
            int receiveBufferBytes,
            double warmUpSeconds,
            List<Integer> senderProcessors,
            List<Integer> receiverProcessors,
            @Nullable CpuShare share,
            double toleratedPercent) {}

    /** Makes a runner; it starts nothing. */
    public Trials(Settings settings) {
        this.settings = settings;
    }

    @Override
    public Launch launch(Path directory) {
        return new Launch(directory, settings.receiveBufferBytes(), settings.receiverProcessors());
    }

    @Override
    public TrialResult run(String suite, Subject subject, Load load, int round) throws InterruptedException {
        try {
            return once(suite, subject, load, round);
        } catch (IOException e) {
            return TrialResult.failed(suite, subject.name(), round, load, String.valueOf(e.getMessage()));
        }
    }

    private TrialResult once(String suite, Subject subject, Load load, int round)
            throws IOException, InterruptedException {
        try (Started started = start(subject, load)) {
            return started.receiver().lastTrial(suite, load, round);
        }
    }

    /** A receiver under way on a directory of its own, which goes with it. */
    private record Started(Path directory, RunningSubject running, LoadedReceiver receiver) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            try (running) {
                // First it ends, then its files go.
            } finally {
                delete(directory);
            }
        }
    }

    private Started start(Subject subject, Load load) throws IOException, InterruptedException {
        Path directory = settings.work().resolve("trial-" + ++number);
        // Not with its parents: those of an interrupted run are being deleted.
        Files.createDirectory(directory);
        try {
            checkRoom(load.during(load.seconds() + settings.warmUpSeconds()), subject);
            RunningSubject running = subject.start(launch(directory));
            try {
                if (settings.share() != null) {
                    limit(settings.share(), running);
                }
                LoadedReceiver receiver = new LoadedReceiver(subject, running, settings);
                receiver.warmUp(load);
                return new Started(directory, running, receiver);
            } catch (IOException | InterruptedException | RuntimeException e) {
                running.close();
                throw e;
            }
        } catch (IOException | InterruptedException | RuntimeException e) {
            delete(directory);
            throw e;
        }
    }

    private static void limit(CpuShare share, RunningSubject running) throws IOException {
        try {
            share.take(running.pid());
        } catch (IOException e) {
            throw new IOException(running.ended().orElse("its CPU time cannot be limited: " + e), e);
        }
    }

    @Override
    public TrialSeries series(Subject subject) {
        return new Series(subject);
    }

    /** Its receiver is started with the first trial. */
    private final class Series implements TrialSeries {
        private final Subject subject;
        private @Nullable Started started;

        Series(Subject subject) {
            this.subject = subject;
        }

        @Override
        public TrialResult run(String suite, Load load, int round) throws InterruptedException {
            try {
                if (started == null) {
                    started = start(subject, load);
                }
                checkRoom(load, subject);
                return started.receiver().trial(suite, load, round);
            } catch (IOException e) {
                return TrialResult.failed(suite, subject.name(), round, load, String.valueOf(e.getMessage()));
            }
        }

        @Override
        public void close() throws IOException {
            if (started != null) {
                started.close();
            }
        }
    }

    /** A receiver that finds no room fails in ways of its own, and some of them look like loss. */
    private void checkRoom(Load load, Subject subject) throws IOException {
        long bytes = (long) (load.expectedRate() * (load.size() + OVERHEAD_BYTES) * load.seconds());
        long room = Files.getFileStore(settings.work()).getUsableSpace();
        if (!subject.countsOnly() && room < bytes + SPARE_BYTES) {
            throw new IOException(String.format(
                    Locale.ROOT,
                    "it may write %,d MB, and %s has %,d MB: choose another --work, or fewer --seconds",
                    (bytes + SPARE_BYTES) >> 20,
                    settings.work(),
                    room >> 20));
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
