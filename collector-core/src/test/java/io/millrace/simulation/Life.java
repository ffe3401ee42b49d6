package io.millrace.simulation;

import io.millrace.collector.Counter;
import io.millrace.collector.DropReason;
import io.millrace.collector.HostCounters;
import io.millrace.collector.RetentionSettings;
import io.millrace.internal.counters.CounterFile;
import io.millrace.internal.counters.LedgerAccounting;
import io.millrace.internal.counters.ShardCells;
import io.millrace.internal.deliver.SimulatedDelivery;
import io.millrace.internal.journal.AppendSignal;
import io.millrace.internal.journal.DataDirectory;
import io.millrace.internal.journal.write.Allocator;
import io.millrace.internal.journal.write.JournalWriter;
import io.millrace.internal.journal.write.Retention;
import io.millrace.internal.journal.write.Syncer;
import io.millrace.internal.receive.SimulatedFiller;
import io.millrace.internal.record.FrameSource;
import io.millrace.internal.record.FrameWriter;
import io.millrace.internal.ring.SlabRing;
import io.millrace.journal.FrameTransport;
import io.millrace.journal.Journal;
import io.millrace.sink.SinkPositions;
import io.millrace.sink.SinkSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** One process of the collector, from its start to a stop or a crash: what the start opens, and its agents. */
final class Life {
    /** A batch that was submitted, with the numbers that it gets. */
    @SuppressWarnings("ArrayRecordComponent") // The array is never modified.
    record Submitted(long first, int[] messages) {
        long end() {
            return first + messages.length;
        }
    }

    /** One receiver with its shard. */
    final class Shard {
        final int number;
        final ShardCells cells;
        final JournalWriter writer;
        final SlabRing ring;
        final SimulatedFiller filler;
        final Syncer syncer;
        final List<Submitted> submitted = new ArrayList<>();
        final long begin;
        final long batchesBefore;
        final long receivedBefore;
        long received;
        private final List<Integer> current = new ArrayList<>();
        private long next;

        Shard(int number, SlabRing ring, JournalWriter writer, ShardCells cells, AppendSignal appends) {
            this.number = number;
            this.ring = ring;
            this.writer = writer;
            this.cells = cells;
            writer.useClock(clock::nanoTime);
            filler = new SimulatedFiller(ring, cells);
            syncer = new Syncer(
                    writer,
                    appends,
                    plan.sync.interval().isZero() ? Duration.ofSeconds(1) : plan.sync.interval(),
                    clock::nanoTime);
            begin = cells.get(Counter.JOURNALED_DATAGRAMS);
            next = begin;
            batchesBefore = cells.get(Counter.JOURNALED_BATCHES);
            receivedBefore = cells.get(Counter.RECEIVED_DATAGRAMS);
        }

        /** Appends a message, as a receiver does; false if there is no slab. */
        boolean receive(FrameSource source, ByteBuffer memory, int offset, int length, int message) {
            FrameWriter batch = filler.acquire();
            if (batch == null) {
                return false;
            }
            boolean first = batch.count() == 0;
            if (!batch.append(source, memory, offset, length, length, 0, clock.epochNs())) {
                filler.flush();
                passed();
                batch = filler.acquire();
                if (batch == null) {
                    return false;
                }
                first = true;
                if (!batch.append(source, memory, offset, length, length, 0, clock.epochNs())) {
                    throw new IllegalStateException("an empty slab does not hold a message");
                }
            }
            if (first) {
                filler.began(clock.epochNs());
            }
            filler.received(length);
            received++;
            current.add(message);
            return true;
        }

        /** Notes what the filler has submitted. */
        void passed() {
            if (filler.safe().current() > submitted.size()) {
                int[] messages = current.stream().mapToInt(Integer::intValue).toArray();
                current.clear();
                history.assign(number, next, messages);
                submitted.add(new Submitted(next, messages));
                next += messages.length;
            }
        }

        void cycle(boolean socketsEmpty) {
            filler.publish();
            filler.submitIfDue(socketsEmpty, clock.epochNs());
            passed();
        }

        /** Ends the cycle and checks the counters. */
        void cycleAndCheck() {
            cycle(false);
            checkCounters();
        }

        /** Batches that the counters say are in the journal. */
        int counted() {
            return (int) (cells.get(Counter.JOURNALED_BATCHES) - batchesBefore);
        }

        /** What the counters must say while the process runs and its receiver is between two cycles. */
        void checkCounters() {
            int batches = counted();
            long journaled = batches == 0 ? begin : submitted.get(batches - 1).end();
            check("journaled", cells.get(Counter.JOURNALED_DATAGRAMS), journaled);
            check("received", cells.get(Counter.RECEIVED_DATAGRAMS), receivedBefore + received);
            check("in flight", cells.get(Counter.RECEIVED_DATAGRAMS) - cells.accounted(), inFlight(batches));
        }

        private long inFlight(int batches) {
            long sum = current.size();
            for (Submitted each : submitted.subList(batches, submitted.size())) {
                sum += each.messages().length;
            }
            return sum;
        }

        private void check(String what, long found, long expected) {
            if (found != expected) {
                throw new Violation("shard " + number + ": " + what + " is " + found + ", not " + expected);
            }
        }
    }

    private static final FrameSource UDP = FrameSource.local(FrameTransport.UNIX_DATAGRAM, 0);
    private static final FrameSource RELP = FrameSource.local(FrameTransport.RELP, 1);

    private final History history;
    private final HistoryPlan plan;
    private final SimulatedClock clock;
    final DataDirectory directory;
    final CounterFile counters;
    final LedgerAccounting ledger;
    final List<Shard> shards = new ArrayList<>();
    final List<SimulatedDelivery> deliveries = new ArrayList<>();
    private final Allocator allocator;
    private final ByteBuffer memory = ByteBuffer.allocateDirect(4096).order(ByteOrder.LITTLE_ENDIAN);

    /** Starts, as {@code Start} does, without threads. */
    Life(History history, Path root, SimulatedDisk disk, SplittableRandom random) throws IOException {
        this.history = history;
        this.plan = history.plan;
        this.clock = history.clock;
        directory = DataDirectory.open(root);
        try {
            directory.register(List.of("udp", "relp"), plan.shards);
            counters = directory.openCounters();
            directory.saveMeta();
            AppendSignal appends = new AppendSignal(counters);
            long[] delivered = SinkPositions.highest(root, directory.meta().journalId());
            List<JournalWriter> writers = new ArrayList<>();
            for (int i = 0; i < counters.shardCount(); i++) {
                ShardCells cells = counters.shard(i);
                reset(cells);
                if (i < delivered.length && delivered[i] > cells.get(Counter.JOURNALED_DATAGRAMS)) {
                    cells.set(Counter.JOURNALED_DATAGRAMS, delivered[i]);
                }
                SlabRing ring = new SlabRing(plan.slabs, plan.slabBytes);
                JournalWriter writer = JournalWriter.open(directory, i, ring, cells, plan.writer());
                int number = i;
                writer.onAppended(() -> appends.appended(number));
                writers.add(writer);
                shards.add(new Shard(i, ring, writer, cells, appends));
            }
            directory.noteHost(counters);
            ledger = LedgerAccounting.open(counters, HostCounters.of(java.util.Map.of()));
            counters.sync();
            allocator = new Allocator(writers);
            Journal journal = Journal.open(root);
            for (Destination destination : history.destinations) {
                SinkSettings settings =
                        SinkSettings.of(destination.name).linger(Duration.ZERO).batches(plan.batchRecords, 1 << 20);
                deliveries.add(new SimulatedDelivery(
                        settings,
                        destination.connect(disk),
                        journal,
                        counters,
                        appends,
                        clock::nanoTime,
                        new java.util.Random(random.nextLong())));
            }
            for (int i = 0; i < history.clients.size(); i++) {
                history.clients.get(i).connect(shard(i).filler.safe()::current);
            }
        } catch (IOException | RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /** What the start of a process does with the counters of its state, without the memory of their distributions. */
    private static void reset(ShardCells cells) {
        for (Counter counter : Counter.values()) {
            if (counter.kind() != Counter.Kind.TOTAL) {
                cells.set(counter, 0);
            }
        }
    }

    private Shard shard(int client) {
        return shards.get(client % shards.size());
    }

    /** A datagram arrives; false if there is no slab, and it stays in the socket. */
    boolean datagram(int shard, int message, SplittableRandom random) {
        byte[] payload = Payloads.of(message, random, plan.payloadBytes);
        memory.put(0, payload);
        return shards.get(shard).receive(UDP, memory, 0, payload.length, message);
    }

    /** The server reads from a client. */
    void read(int client) {
        Shard shard = shard(client);
        history.clients.get(client).read((from, offset, length, original, marks) -> {
            byte[] bytes = new byte[length];
            from.get(offset, bytes);
            return shard.receive(RELP, from, offset, length, Payloads.number(bytes, 0, length));
        });
        shard.passed();
    }

    /** Answers to clients, as the event loop does after a cycle. */
    void answer(int client) {
        Shard shard = shard(client);
        RelpClient of = history.clients.get(client);
        long safe = shard.filler.safe().count();
        of.answer(safe);
        if (of.awaitsAnswers()) {
            shard.filler.safe().await(safe);
        }
    }

    void allocate() {
        allocator.doWork();
    }

    void retain() throws IOException {
        new Retention(
                        directory,
                        counters,
                        new RetentionSettings(
                                null,
                                plan.retentionBytes,
                                0,
                                RetentionSettings.Unread.KEEP,
                                RetentionSettings.WhenFull.BLOCK),
                        () -> deliveries.stream()
                                .map(SimulatedDelivery::acknowledged)
                                .toList(),
                        shard -> shards.get(shard).writer.refreshListing(),
                        clock::epochNs)
                .doWork();
    }

    /** Everything that the stop of a collector does, in its order. */
    void stop() throws IOException {
        for (Shard shard : shards) {
            shard.filler.publish();
            shard.filler.flush();
            shard.passed();
        }
        for (int i = 0; i < 50 && !isDrained(); i++) {
            shards.forEach(shard -> shard.writer.doWork());
            clock.advance(200_000_000);
        }
        for (SimulatedDelivery delivery : deliveries) {
            delivery.stop(clock.nanoTime());
            for (int i = 0; i < 100 && !delivery.isFinished(); i++) {
                delivery.doWork();
            }
        }
        for (Shard shard : shards) {
            closeQuietly(shard.writer::sync);
            closeQuietly(shard.writer::close);
        }
        ledger.close();
        counters.seal();
        counters.sync();
        directory.close();
    }

    boolean isDrained() {
        return shards.stream().allMatch(shard -> shard.writer.isDrained());
    }

    /** Releases what a process that has ended holds. */
    void close() {
        for (Shard shard : shards) {
            closeQuietly(shard.writer::close);
        }
        closeQuietly(directory::close);
    }

    private interface Closing {
        void run() throws IOException;
    }

    private static void closeQuietly(Closing what) {
        try {
            what.run();
        } catch (IOException | RuntimeException | AssertionError e) {
            // The process has ended: its resources are all that matters.
        }
    }

    /** Drops by a crash or otherwise, which the ledger has. */
    static long crashed(@Nullable ShardCells cells) {
        return cells == null ? 0 : cells.get(DropReason.CRASH.counter());
    }
}
