package io.millrace.internal.journal.write;

import io.millrace.collector.Counter;
import io.millrace.internal.agent.Agent;
import io.millrace.internal.agent.Ticks;
import io.millrace.internal.counters.CounterFile;
import io.millrace.internal.journal.DataDirectory;
import io.millrace.internal.journal.JournalPaths;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The agent that checks every second, or every five while nothing is journaled, whether the data directory and the current journal files were removed or replaced.
 * Linux lets a process write to a mapped file after it was removed, without an error, and the data is lost when the
 * process ends. While a path is missing or leads to another file, journal writers append nothing. They continue once it
 * is back. Writers check their current file themselves, before what they promise. One thread.
 */
public final class PathCheck implements Agent {
    private static final Logger LOG = LoggerFactory.getLogger(PathCheck.class);
    private static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long QUIET_INTERVAL_NS = TimeUnit.SECONDS.toNanos(5);

    private final List<JournalWriter> writers;
    private final CounterFile counters;
    private final Path root;
    /** The directories and the counters file. The data directory is the first: if it is missing, everything below it is too. */
    private final List<FileIdentity> identities = new ArrayList<>();

    private @Nullable String problem;
    private long checkedBatches = -1;
    private long tickChecked;
    private long quietTick;

    /**
     * Creates the check and records the current device and inode of each path.
     *
     * @param directory the data directory, which this process holds
     * @param writers one writer per shard, which the check suspends and resumes
     * @param counters their counters
     * @throws IOException if the directory cannot be read
     */
    public PathCheck(DataDirectory directory, List<JournalWriter> writers, CounterFile counters) throws IOException {
        this.root = directory.root();
        this.counters = counters;
        this.writers = List.copyOf(writers);
        for (Path path : List.of(root, directory.countersFile())) {
            identities.add(FileIdentity.of(path));
        }
        for (int shard = 0; shard < writers.size(); shard++) {
            identities.add(FileIdentity.of(JournalPaths.shardPath(root, shard)));
        }
    }

    @Override
    public String roleName() {
        return "path-check";
    }

    /** Checks if it is time; returns 0. */
    @Override
    public int doWork() {
        long batches = counters.sum(Counter.JOURNALED_BATCHES);
        boolean quiet = batches == checkedBatches && problem == null;
        long tick = Ticks.number(quiet ? QUIET_INTERVAL_NS : INTERVAL_NS);
        if (tick != (quiet ? quietTick : tickChecked)) {
            tickChecked = Ticks.number(INTERVAL_NS);
            quietTick = Ticks.number(QUIET_INTERVAL_NS);
            checkedBatches = batches;
            check();
        }
        return 0;
    }

    /** Checks now, and suspends or resumes the writers. */
    void check() {
        String found = find();
        for (JournalWriter writer : writers) {
            writer.suspend(found);
        }
        if (found != null && problem == null) {
            LOG.error("{}. Nothing is journaled until it is back; if it is lost, restart", found);
        } else if (found == null && problem != null) {
            LOG.info("Data directory {} is complete again: journaling continues", root);
        }
        problem = found;
    }

    private @Nullable String find() {
        String found = null;
        for (FileIdentity each : identities) {
            found = found == null ? each.problem() : found;
        }
        for (JournalWriter writer : writers) {
            found = found == null ? writer.fileProblem() : found;
        }
        return found;
    }
}
