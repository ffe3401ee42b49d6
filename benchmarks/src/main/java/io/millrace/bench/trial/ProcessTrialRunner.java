package io.millrace.bench.trial;

import io.millrace.bench.host.CpuShare;
import io.millrace.bench.host.ScratchDirectory;
import io.millrace.bench.subject.LaunchSettings;
import io.millrace.bench.subject.RunningSubject;
import io.millrace.bench.subject.Subject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Runs trials one at a time. Each trial or series has a new process with an empty directory. */
public final class ProcessTrialRunner implements TrialRunner {
    /** What a receiver may write per datagram in addition to the payload. */
    private static final int OVERHEAD_BYTES = 24;

    /** Files are mapped and grown in large chunks. */
    private static final long SPARE_BYTES = 256 << 20;

    private final Settings settings;
    private int number;

    /**
     * The settings of all trials of a run.
     *
     * @param work an empty directory for the output of receivers; each trial deletes its own
     * @param receiveBufferBytes the receive buffer that each receiver requests
     * @param warmUpSeconds the warm-up, see {@link LoadedReceiver#warmUp}
     * @param senderCpus the CPUs of the sender; empty for all
     * @param receiverCpus the CPUs of receivers; empty for all
     * @param share their share of a CPU; null for no limit
     * @param toleratedPercent how far the sender may miss its rate in a valid trial
     * @param samplesQueue true to sample the receive buffer at the end of the load, which changes the CPU time of receivers
     */
    public record Settings(
            Path work,
            int receiveBufferBytes,
            double warmUpSeconds,
            List<Integer> senderCpus,
            List<Integer> receiverCpus,
            @Nullable CpuShare share,
            double toleratedPercent,
            boolean samplesQueue) {}

    /** Makes a runner. */
    public ProcessTrialRunner(Settings settings) {
        this.settings = settings;
    }

    @Override
    public LaunchSettings launch(Path directory) {
        return new LaunchSettings(directory, settings.receiveBufferBytes(), settings.receiverCpus());
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

    private record Started(Path directory, RunningSubject running, LoadedReceiver receiver) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            try (running) {
                // It ends before its files are deleted.
            } finally {
                ScratchDirectory.delete(directory);
            }
        }
    }

    private Started start(Subject subject, Load load) throws IOException, InterruptedException {
        Path directory = settings.work().resolve("trial-" + ++number);
        // Without its parents: those of an interrupted run are being deleted.
        Files.createDirectory(directory);
        try {
            checkRoom(load, subject, settings.warmUpSeconds());
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
            ScratchDirectory.delete(directory);
            throw e;
        }
    }

    private static void limit(CpuShare share, RunningSubject running) throws IOException {
        try {
            share.limit(running.pid());
        } catch (IOException e) {
            throw new IOException(running.ended().orElse("its CPU time cannot be limited: " + e), e);
        }
    }

    @Override
    public TrialSeries series(Subject subject) {
        return new Series(subject, null);
    }

    @Override
    public CheckedSeries checkedSeries(Subject subject, Load warmUp) {
        return new Series(subject, warmUp);
    }

    /** The first trial starts the receiver. */
    private final class Series implements CheckedSeries {
        private final Subject subject;
        private final @Nullable Load warmUp;
        private @Nullable Started started;

        Series(Subject subject, @Nullable Load warmUp) {
            this.subject = subject;
            this.warmUp = warmUp;
        }

        @Override
        public TrialResult run(String suite, Load load, int round) throws InterruptedException {
            try {
                if (started == null) {
                    started = start(subject, warmUp == null ? load : warmUp);
                }
                checkRoom(load, subject, 0);
                return started.receiver().trial(suite, load, round);
            } catch (IOException e) {
                return TrialResult.failed(suite, subject.name(), round, load, String.valueOf(e.getMessage()));
            }
        }

        @Override
        public TrialResult end(String suite, Load last, int round) throws InterruptedException {
            try {
                if (started == null) {
                    throw new IOException("it was not started");
                }
                return started.receiver().end(suite, last, round);
            } catch (IOException e) {
                return TrialResult.failed(suite, subject.name(), round, last, String.valueOf(e.getMessage()));
            }
        }

        @Override
        public void close() throws IOException {
            if (started != null) {
                started.close();
            }
        }
    }

    @Override
    public CountedSeries countedSeries(Subject subject, Load warmUp) {
        return new Counted(subject, warmUp);
    }

    /** The first trial starts the receiver. After a failure nothing else is run. */
    private final class Counted implements CountedSeries {
        private final Subject subject;
        private final Load warmUp;
        private final List<LoadedReceiver.Uncounted> uncounted = new ArrayList<>();
        private final List<TrialResult> others = new ArrayList<>();
        private @Nullable Started started;
        private @Nullable String failure;

        Counted(Subject subject, Load warmUp) {
            this.subject = subject;
            this.warmUp = warmUp;
        }

        @Override
        public void run(String suite, Load load, int round) throws InterruptedException {
            run(suite, load, round, receiver -> uncounted.add(receiver.uncounted(suite, load, false, round)));
        }

        @Override
        public void runWithStall(String suite, Load load, int round) throws InterruptedException {
            run(suite, load, round, receiver -> uncounted.add(receiver.uncounted(suite, load, true, round)));
        }

        @Override
        public void runLone(String suite, int round) throws InterruptedException {
            Load load = Load.idle(0);
            run(suite, load, round, receiver -> {
                String millis = String.format(Locale.ROOT, "%.2f", receiver.loneMillis());
                others.add(TrialResult.of(suite, subject.name(), round, load, millis));
            });
        }

        private interface Trial {
            void run(LoadedReceiver receiver) throws IOException, InterruptedException;
        }

        private void run(String suite, Load load, int round, Trial trial) throws InterruptedException {
            if (failure == null) {
                try {
                    if (started == null) {
                        started = start(subject, warmUp);
                    }
                    checkRoom(load, subject, 0);
                    trial.run(started.receiver());
                    return;
                } catch (IOException e) {
                    failure = String.valueOf(e.getMessage());
                }
            }
            others.add(TrialResult.failed(suite, subject.name(), round, load, String.valueOf(failure)));
        }

        @Override
        public List<TrialResult> end() throws InterruptedException {
            List<TrialResult> results = new ArrayList<>(others);
            try {
                if (started != null && !uncounted.isEmpty()) {
                    results.addAll(started.receiver().count(uncounted));
                }
            } catch (IOException e) {
                for (LoadedReceiver.Uncounted each : uncounted) {
                    results.add(TrialResult.failed(
                            each.suite(), subject.name(), each.round(), each.load(), String.valueOf(e.getMessage())));
                }
            }
            return results;
        }

        @Override
        public void close() throws IOException {
            if (started != null) {
                started.close();
            }
        }
    }

    /** Some failures of a receiver on a full disk look like loss. */
    private void checkRoom(Load load, Subject subject, double warmUpSeconds) throws IOException {
        long bytes = (long) (load.expectedWithWarmUp(warmUpSeconds) * (load.size() + OVERHEAD_BYTES));
        long room = Files.getFileStore(settings.work()).getUsableSpace();
        if (!subject.countsOnly() && room < bytes + SPARE_BYTES) {
            throw new IOException(String.format(
                    Locale.ROOT,
                    "it may write %,d MB, and %s has %,d MB: use another --work, or fewer --seconds",
                    (bytes + SPARE_BYTES) >> 20,
                    settings.work(),
                    room >> 20));
        }
    }
}
