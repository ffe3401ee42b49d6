package io.millrace.simulation;

import io.millrace.message.LineBuffer;
import io.millrace.message.LogRecord;
import io.millrace.sink.Sink;
import io.millrace.sink.SinkBatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A destination, which outlives the crashes of the collector. It remembers every message that it has seen and every one that it has
 * answered, and says what is wrong with what it gets.
 */
final class Destination {
    /** What a destination does with batches for a while. */
    enum Mood {
        ANSWERS,
        ANSWERS_LATE,
        /** It has the batch, but its answer is lost. */
        TIMES_OUT,
        DOWN,
        REJECTS_ONE,
        REJECTS_ALL,
        /** It takes the beginning of a batch and fails. */
        TAKES_SOME,
        ANY
    }

    /** What is in the journal, by shard and sequence number. */
    interface Content {
        NavigableMap<Long, Integer> of(int shard);

        /** The message of a number, also if retention has deleted it. */
        @Nullable
        Integer message(int shard, long sequence);
    }

    /** What one shard has sent. */
    private static final class Shard {
        final Map<Long, Integer> seen = new HashMap<>();
        final Set<Long> settled = new HashSet<>();
        /** All numbers below are settled or not in the journal. */
        long frontier;
        // Since the last start.
        long next = -1;
        final Set<Long> settledNow = new HashSet<>();
    }

    final String name;
    private final Content content;
    private final SplittableRandom random;
    private final List<Shard> shards = new ArrayList<>();
    private final List<SinkBatch> pending = new ArrayList<>();
    Mood mood = Mood.ANSWERS;
    /** The first one. */
    @Nullable
    Violation violation;

    private int run;

    Destination(String name, int shardCount, Content content, SplittableRandom random) {
        this.name = name;
        this.content = content;
        this.random = random;
        for (int i = 0; i < shardCount; i++) {
            shards.add(new Shard());
        }
    }

    /** The sink of a new process. */
    Sink connect(SimulatedDisk disk) {
        run++;
        pending.clear();
        for (Shard shard : shards) {
            shard.next = -1;
            shard.settledNow.clear();
        }
        int ofRun = run;
        int inFlight = 1 + random.nextInt(3);
        return new Sink() {
            @Override
            public @Nullable Object encode(LogRecord record, LineBuffer out) {
                out.append(record.bytes(), record.begin(), record.end());
                return null;
            }

            @Override
            public void send(SinkBatch batch) throws IOException {
                if (disk.isDead() || ofRun != run) {
                    throw new SimulatedCrash();
                }
                try {
                    take(batch);
                } catch (Violation e) {
                    violation = violation == null ? e : violation;
                    throw e;
                }
            }

            @Override
            public int maxInFlight() {
                return inFlight;
            }
        };
    }

    private void take(SinkBatch batch) throws IOException {
        for (int i = 0; i < batch.size(); i++) {
            if (batch.isOpen(i)) {
                check(batch, i);
            }
        }
        Mood now = mood == Mood.ANY ? Mood.values()[random.nextInt(Mood.values().length - 1)] : mood;
        if (now == Mood.DOWN) {
            throw new IOException("the destination is down");
        }
        int some = now == Mood.TAKES_SOME ? random.nextInt(batch.size()) : batch.size();
        for (int i = 0; i < batch.size(); i++) {
            if (batch.isOpen(i) && i < some) {
                see(batch, i);
            }
        }
        switch (now) {
            case ANSWERS -> {
                settle(batch, batch.size());
                batch.done();
            }
            case TAKES_SOME -> {
                settle(batch, some);
                for (int i = 0; i < some; i++) {
                    if (batch.isOpen(i)) {
                        batch.accept(i);
                    }
                }
                batch.failed("the destination failed in a batch");
            }
            case TIMES_OUT -> batch.failed("the destination did not answer in time");
            case ANSWERS_LATE -> pending.add(batch);
            case REJECTS_ONE, REJECTS_ALL -> {
                int one = random.nextInt(batch.size());
                for (int i = 0; i < batch.size(); i++) {
                    if (batch.isOpen(i) && (now == Mood.REJECTS_ALL || i == one)) {
                        batch.refuse(i, "the destination does not like it");
                    }
                }
                // Rejected records are settled once they are dead letters: the end of a history looks there.
                settle(batch, batch.size());
                batch.done();
            }
            default -> throw new IllegalStateException(now.name());
        }
    }

    /** Answers for a batch that waits, in any order; a second answer to it changes nothing. */
    void answer() {
        if (!pending.isEmpty()) {
            SinkBatch batch = pending.remove(random.nextInt(pending.size()));
            settle(batch, batch.size());
            batch.done();
        }
    }

    private static int number(SinkBatch batch, int index) {
        return Payloads.number(batch.array(), batch.begin(index), batch.end(index));
    }

    private static String at(SinkBatch batch, int index) {
        return batch.shard(index) + ":" + batch.sequence(index);
    }

    /** What must hold for each record of a batch, whether the destination takes it or not. */
    private void check(SinkBatch batch, int index) {
        Shard shard = shards.get(batch.shard(index));
        long sequence = batch.sequence(index);
        NavigableMap<Long, Integer> journal = content.of(batch.shard(index));
        Integer expected = content.message(batch.shard(index), sequence);
        int number = number(batch, index);
        if (expected == null || expected != number) {
            throw new Violation(name + " got message " + number + " as " + at(batch, index) + ", which is " + expected);
        }
        if (shard.settledNow.contains(sequence)) {
            throw new Violation(name + " got " + at(batch, index) + " again, which it had answered, without a crash");
        }
        long from = shard.next < 0 ? frontier(shard, journal) : shard.next;
        if (sequence >= from) {
            for (long skipped : journal.subMap(from, sequence).keySet()) {
                if (shard.next >= 0 || !shard.settled.contains(skipped)) {
                    throw new Violation(name + " got " + at(batch, index) + ", but never " + skipped);
                }
            }
            shard.next = sequence + 1;
        } else if (shard.next < 0) {
            shard.next = sequence + 1;
        }
    }

    private static long frontier(Shard shard, NavigableMap<Long, Integer> journal) {
        for (long sequence : journal.tailMap(shard.frontier).keySet()) {
            if (!shard.settled.contains(sequence)) {
                break;
            }
            shard.frontier = sequence + 1;
        }
        return shard.frontier;
    }

    private void see(SinkBatch batch, int index) {
        Integer before = shards.get(batch.shard(index)).seen.put(batch.sequence(index), number(batch, index));
        if (before != null && before != number(batch, index)) {
            throw new Violation(name + " has seen " + at(batch, index) + " as message " + before + ", and now as "
                    + number(batch, index));
        }
    }

    private void settle(SinkBatch batch, int count) {
        for (int i = 0; i < count; i++) {
            Shard shard = shards.get(batch.shard(i));
            shard.settledNow.add(batch.sequence(i));
            if (batch.isOpen(i)) {
                shard.settled.add(batch.sequence(i));
            }
        }
    }

    /** A dead letter stands for a record. */
    void deadLetter(int shard, long sequence) {
        shards.get(shard).settled.add(sequence);
    }

    boolean isSettled(int shard, long sequence) {
        return shards.get(shard).settled.contains(sequence);
    }

    /** The message that the destination has seen with a number; null if none. */
    @Nullable
    Integer seen(int shard, long sequence) {
        return shards.get(shard).seen.get(sequence);
    }
}
