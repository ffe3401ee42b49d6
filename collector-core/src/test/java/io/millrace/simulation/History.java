package io.millrace.simulation;

import io.millrace.collector.Counter;
import io.millrace.collector.SyncSettings;
import io.millrace.internal.counters.ShardCells;
import io.millrace.internal.disk.Disks;
import io.millrace.internal.journal.JournalPaths;
import io.millrace.internal.journal.MetaFile;
import io.millrace.internal.journal.file.ExcerptFile;
import io.millrace.internal.journal.file.ReadBuffer;
import io.millrace.internal.journal.read.ShardReader;
import io.millrace.internal.journal.recovery.JournalScanner;
import io.millrace.internal.record.BatchView;
import io.millrace.journal.DatagramView;
import io.millrace.journal.JournalMeta;
import io.millrace.sink.SinkPositions;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One history: a collector starts, works, and ends by a stop or a crash, a few times in the same data directory. After each start its
 * promises are checked against what clients and destinations know. The seed decides everything.
 */
final class History implements AutoCloseable {
    /** How a process ends. */
    private enum End {
        STOP,
        KILL,
        POWER_FAILURE
    }

    private static final int MAX_STEPS = 120;

    final HistoryPlan plan;
    final SimulatedClock clock = new SimulatedClock();
    final List<Destination> destinations = new ArrayList<>();
    final List<RelpClient> clients = new ArrayList<>();

    private final Path base;
    private final SplittableRandom random;
    private final long journalId;
    /** What is in the journal or on its way, by shard. */
    private final List<NavigableMap<Long, Integer>> content = new ArrayList<>();
    /** What retention has deleted, by shard: after a loss of power it may be there again. */
    private final List<NavigableMap<Long, Integer>> expired = new ArrayList<>();

    private int messages;
    private int roots;
    private long boot = 1;
    private @Nullable SimulatedDisk disk;
    private SimulatedDisk.@Nullable Image image;
    private @Nullable Life life;
    private End end = End.KILL;
    /** The power failed since the last start that was checked. */
    private boolean powerFailed;

    private boolean over;

    private final StringBuilder log = new StringBuilder();

    /** Differs if the same seed has led to another history. */
    long digest;

    /** Crashes with a start after them. */
    int crashes;

    /**
     * Prepares a history.
     *
     * @param base a directory of a memory file system, which is empty
     */
    History(long seed, Path base) {
        this.base = base;
        SplittableRandom all = new SplittableRandom(seed);
        journalId = all.nextLong();
        plan = new HistoryPlan(all.split());
        random = all.split();
        for (int i = 0; i < plan.shards; i++) {
            content.add(new TreeMap<>());
            expired.add(new TreeMap<>());
        }
        for (int i = 0; i < plan.outputs; i++) {
            destinations.add(new Destination(
                    "out" + i,
                    plan.shards,
                    new Destination.Content() {
                        @Override
                        public NavigableMap<Long, Integer> of(int shard) {
                            return content.get(shard);
                        }

                        @Override
                        public @Nullable Integer message(int shard, long sequence) {
                            return History.this.message(shard, sequence);
                        }
                    },
                    all.split()));
        }
        for (int i = 0; i < plan.clients; i++) {
            clients.add(new RelpClient(all.split()));
        }
    }

    /** Runs it; throws a {@link Violation} if a promise is broken. */
    void run() throws IOException {
        Path root = Files.createDirectory(base.resolve("0"));
        MetaFile.save(new JournalMeta(journalId, "2026-01-01T00:00:00Z", 0, List.of()), JournalPaths.metaPath(root));
        begin(root);
        for (int i = 1; i <= plan.lives; i++) {
            boolean last = i == plan.lives;
            if (start(last)) {
                if (over) {
                    return;
                }
                if (last) {
                    finish();
                    return;
                }
                work();
            }
            end();
        }
    }

    private void begin(Path root) throws IOException {
        DiskFaults faults = new DiskFaults(random.split(), clock);
        SimulatedDisk next = new SimulatedDisk(root, faults, boot, this::crash);
        Disks.register(root, next);
        disk = next;
    }

    private Path root() {
        return base.resolve(Integer.toString(roots));
    }

    /** Takes the image of the disk: what the process does later has no effect. */
    private void crash() {
        SimulatedDisk now = disk();
        if (!now.isDead()) {
            try {
                if (end == End.POWER_FAILURE) {
                    boot++;
                    powerFailed = true;
                    image = now.afterPowerFailure(random.split());
                } else {
                    image = now.afterKill();
                }
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
            now.die();
        }
    }

    private SimulatedDisk disk() {
        return java.util.Objects.requireNonNull(disk);
    }

    private Life life() {
        return java.util.Objects.requireNonNull(life);
    }

    /** Starts the collector; false if it crashed or failed meanwhile. */
    private boolean start(boolean withoutFaults) throws IOException {
        DiskFaults faults = disk().faults;
        End before = end;
        if (!withoutFaults && random.nextInt(6) == 0) {
            end = nextEnd();
            if (random.nextBoolean()) {
                faults.callsToCrash = random.nextInt(400);
            } else {
                faults.failing = 50;
            }
        }
        try {
            life = new Life(this, root(), disk(), random.split());
        } catch (SimulatedCrash e) {
            return false;
        } catch (IOException | RuntimeException e) {
            if (faults.failing > 0 || disk().isDead()) {
                return false;
            }
            throw new Violation("the start failed after " + before + ": " + trace(e));
        } catch (AssertionError e) {
            if (e instanceof Violation || !disk().isDead()) {
                throw e;
            }
            return false;
        }
        faults.none();
        if (disk().isDead()) {
            return false;
        }
        log.append("start; ");
        if (powerFailed && plan.sync.level() == SyncSettings.Level.PAGE_CACHE) {
            // Any file may be damaged, and a repair may be needed: nothing is promised but the start.
            over = true;
            return true;
        }
        readDeadLetters();
        checkJournal(before);
        return true;
    }

    private static String trace(Throwable e) {
        java.io.StringWriter text = new java.io.StringWriter();
        e.printStackTrace(new java.io.PrintWriter(text));
        return text.toString();
    }

    private End nextEnd() {
        return switch (random.nextInt(8)) {
            case 0 -> End.STOP;
            case 1, 2, 3 -> End.KILL;
            default -> POWER ? End.POWER_FAILURE : End.KILL;
        };
    }

    static final boolean POWER = Boolean.parseBoolean(System.getProperty("millrace.sim.power", "true"));

    /** The agents work in an order that the seed chooses, until a crash, or for a number of steps. */
    private void work() throws IOException {
        end = nextEnd();
        DiskFaults faults = disk().faults;
        int steps = random.nextInt(MAX_STEPS);
        if (end != End.STOP && random.nextInt(3) == 0) {
            faults.callsToCrash = random.nextInt(300);
        }
        for (int i = 0; i < steps && !disk().isDead(); i++) {
            try {
                step();
                throwViolation();
                digest = 31 * digest + disk().calls + 7L * messages + clock.nanoTime();
            } catch (SimulatedCrash e) {
                // As after any other step that ended the process.
            } catch (java.io.UncheckedIOException e) {
                if (faults.failing == 0 && !disk().isDead()) {
                    throw e;
                }
            }
        }
        faults.none();
    }

    /** Throws what a sink has found in a call of the collector, which catches everything. */
    private void throwViolation() {
        for (Destination destination : destinations) {
            Violation found = destination.violation;
            if (found != null) {
                throw found;
            }
        }
    }

    private void step() throws IOException {
        Life now = life();
        Life.Shard shard = now.shards.get(random.nextInt(now.shards.size()));
        switch (random.nextInt(25)) {
            case 0, 1, 2 -> {
                int count = random.nextInt(40);
                for (int i = 0; i < count && now.datagram(shard.number, messages, random); i++) {
                    messages++;
                }
                shard.cycle(random.nextBoolean());
            }
            case 3, 4, 5 -> client(now);
            case 6, 7, 8, 9 -> shard.writer.doWork();
            case 10, 11 -> shard.syncer.doWork();
            case 12 -> now.allocate();
            case 13, 14, 15, 16 ->
                now.deliveries.get(random.nextInt(now.deliveries.size())).doWork();
            case 17 -> destinations.get(random.nextInt(destinations.size())).answer();
            case 18, 24 -> now.retain();
            case 19 -> clock.advance(random.nextInt(1 << random.nextInt(31)));
            case 20 -> clock.advance(random.nextLong(2_000_000_000L));
            case 21 -> destinations.get(random.nextInt(destinations.size())).changeMood();
            case 22 -> fault();
            default -> shard.cycle(true);
        }
        if (!disk().isDead()) {
            retained();
        }
    }

    private void client(Life now) {
        if (clients.isEmpty()) {
            return;
        }
        int number = random.nextInt(clients.size());
        RelpClient client = clients.get(number);
        int count = random.nextInt(30);
        for (int i = 0; i < count && client.canSend(); i++) {
            client.send(messages++);
        }
        now.read(number);
        now.shards.get(number % now.shards.size()).cycle(random.nextBoolean());
        if (!disk().isDead()) {
            now.answer(number);
        }
    }

    private void fault() {
        DiskFaults faults = disk().faults;
        long calls = faults.callsToCrash;
        faults.none();
        faults.callsToCrash = calls;
        switch (random.nextInt(6)) {
            case 0 -> faults.full = true;
            case 1 -> faults.failing = 1 << random.nextInt(8);
            case 2 -> faults.slow = 10;
            default -> {
                // The disk works again.
            }
        }
    }

    /** Messages get their numbers: no destination may have seen others with them. */
    void assign(int shard, long first, int[] assigned) {
        NavigableMap<Long, Integer> map = content.get(shard);
        for (int i = 0; i < assigned.length; i++) {
            long sequence = first + i;
            Integer before = map.put(sequence, assigned[i]);
            if (before != null) {
                throw new Violation("shard " + shard + ": number " + sequence + " is used twice");
            }
            for (Destination destination : destinations) {
                Integer seen = destination.seen(shard, sequence);
                if (seen != null && seen != assigned[i]) {
                    throw new Violation("shard " + shard + ": " + destination.name + " has seen " + sequence
                            + " as message " + seen + ", and it is used for message " + assigned[i]);
                }
            }
        }
    }

    /** Forgets what retention has deleted; every destination must have settled it. */
    private void retained() throws IOException {
        for (Life.Shard shard : life().shards) {
            long to = shard.cells.get(Counter.EXPIRED_DATAGRAMS);
            NavigableMap<Long, Integer> gone = content.get(shard.number).headMap(to, false);
            if (gone.isEmpty()) {
                continue;
            }
            readDeadLetters();
            for (Destination destination : destinations) {
                for (long sequence : gone.keySet()) {
                    if (!destination.isSettled(shard.number, sequence)) {
                        throw new Violation("shard " + shard.number + ": " + sequence + " was deleted before "
                                + destination.name + " had it");
                    }
                }
            }
            expired.get(shard.number).putAll(gone);
            gone.clear();
        }
    }

    /** The message of a number that is in the journal, or was there. */
    private @Nullable Integer message(int shard, long sequence) {
        Integer there = content.get(shard).get(sequence);
        return there == null ? expired.get(shard).get(sequence) : there;
    }

    private void readDeadLetters() throws IOException {
        disk().observed = true;
        for (int i = 0; i < destinations.size(); i++) {
            life().deliveries.get(i).deadLetters(destinations.get(i)::deadLetter);
        }
        disk().observed = false;
    }

    private void end() throws IOException {
        throwViolation();
        Life now = life;
        if (now != null && !disk().isDead() && end == End.STOP) {
            try {
                now.shards.forEach(Life.Shard::cycleAndCheck);
                now.stop();
            } catch (SimulatedCrash e) {
                throw new IllegalStateException(e);
            }
        } else if (now != null && !disk().isDead()) {
            for (Life.Shard shard : now.shards) {
                shard.cycleAndCheck();
            }
        }
        log.append(end).append("; ");
        synced.clear();
        lost.clear();
        crash();
        if (now != null) {
            for (Life.Shard shard : now.shards) {
                note(shard);
            }
            now.close();
        }
        life = null;
        Disks.remove(root());
        delete(root());
        roots++;
        Files.createDirectory(root());
        java.util.Objects.requireNonNull(image).writeTo(root());
        if (Boolean.getBoolean("millrace.sim.keep")) {
            image.writeTo(base.resolve("image" + roots));
        }
        image = null;
        // Until a start has recovered from a power failure, the batch may be damaged already.
        if (!powerFailed && random.nextInt(4) == 0) {
            flipBit();
        }
        begin(root());
        crashes++;
    }

    /** What the process that has ended has promised, by shard. */
    private final List<Long> synced = new ArrayList<>();

    private final List<Long> lost = new ArrayList<>();

    private void note(Life.Shard shard) {
        int safe = (int) shard.filler.safe().count();
        synced.add(safe == 0 ? shard.begin : shard.submitted.get(safe - 1).end());
        lost.add((long) shard.counted());
    }

    private void delete(Path top) throws IOException {
        try (Stream<Path> all = Files.walk(top)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }

    /** After a start: the journal has what was promised, with the right numbers, and the ledger closes. */
    private void checkJournal(End before) throws IOException {
        Life now = life();
        Set<Integer> found = new HashSet<>();
        expired.forEach(each -> found.addAll(each.values()));
        for (Life.Shard shard : now.shards) {
            NavigableMap<Long, Integer> promised = content.get(shard.number);
            NavigableMap<Long, Integer> journal = read(shard.number);
            long expiredTo = shard.cells.get(Counter.EXPIRED_DATAGRAMS);
            for (var each : journal.entrySet()) {
                Integer gone = expired.get(shard.number).get(each.getKey());
                Integer was = gone == null ? promised.get(each.getKey()) : gone;
                if (was == null || !was.equals(each.getValue())) {
                    throw new Violation("shard " + shard.number + ": the journal has message " + each.getValue()
                            + " as " + each.getKey() + ", which was " + was + " before the " + before);
                }
            }
            if (shard.number < synced.size()) {
                long to = synced.get(shard.number);
                for (long sequence : promised.headMap(to).keySet()) {
                    if (!journal.containsKey(sequence) && sequence >= expiredTo) {
                        throw new Violation("shard " + shard.number + ": " + sequence
                                + " was safe, and is lost after the " + before);
                    }
                }
            }
            for (var each : promised.headMap(expiredTo).entrySet()) {
                found.add(each.getValue());
                expired.get(shard.number).put(each.getKey(), each.getValue());
            }
            found.addAll(journal.values());
            promised.clear();
            promised.putAll(journal);
            ShardCells cells = shard.cells;
            if (cells.accounted() != cells.get(Counter.RECEIVED_DATAGRAMS)) {
                throw new Violation("shard " + shard.number + ": " + cells.get(Counter.RECEIVED_DATAGRAMS)
                        + " received, " + cells.accounted() + " accounted for, after the " + before);
            }
        }
        for (RelpClient client : clients) {
            for (int message : client.answered) {
                if (!found.contains(message)) {
                    throw new Violation("message " + message + " was answered, and is lost after the " + before);
                }
            }
        }
        synced.clear();
        powerFailed = false;
        List<String> problems = verify(root());
        if (!problems.isEmpty()) {
            throw new Violation("verify finds damage after the " + before + ": " + problems);
        }
    }

    private NavigableMap<Long, Integer> read(int shard) {
        NavigableMap<Long, Integer> journal = new TreeMap<>();
        DatagramView view = new DatagramView();
        byte[] bytes = new byte[8192];
        try (ShardReader reader = new ShardReader(root(), shard)) {
            for (ShardReader.Found next = reader.next(); next != ShardReader.Found.NOTHING; next = reader.next()) {
                if (next == ShardReader.Found.DAMAGED) {
                    throw new Violation("shard " + shard + " has a damaged batch");
                }
                BatchView batch = reader.batch();
                long sequence = batch.firstSequence();
                batch.first(view);
                for (int i = 0; i < batch.count(); i++) {
                    view.copyPayload(bytes, 0);
                    int number = Payloads.number(bytes, 0, view.payloadLength());
                    view.next();
                    if (number < 0 || journal.put(sequence + i, number) != null) {
                        throw new Violation(
                                "shard " + shard + " has " + (sequence + i) + " twice, or not as it was sent");
                    }
                }
            }
        }
        return journal;
    }

    private List<String> verify(Path directory) throws IOException {
        List<String> problems = new ArrayList<>();
        new JournalScanner(directory, problem -> problems.add(problem.toString()), (at, total) -> {})
                .numberedTo(SinkPositions.highest(directory, journalId))
                .scan();
        return problems;
    }

    /** Damages one bit of a batch, which verify must find, and undoes it. */
    private void flipBit() throws IOException {
        Path shard = JournalPaths.shardPath(root(), random.nextInt(plan.shards));
        if (!Files.isDirectory(shard)) {
            return;
        }
        List<Path> files = JournalPaths.files(shard);
        if (files.isEmpty()) {
            return;
        }
        Path file = files.get(random.nextInt(files.size()));
        List<long[]> batches = new ArrayList<>();
        try (ExcerptFile excerpts = new ExcerptFile(file, new ReadBuffer())) {
            long from = excerpts.position();
            while (excerpts.next() == ExcerptFile.Next.EXCERPT) {
                batches.add(new long[] {from, excerpts.position()});
                from = excerpts.position();
            }
        }
        if (batches.isEmpty()) {
            return;
        }
        List<String> before = verify(root());
        int which = random.nextInt(batches.size());
        long to = batches.get(which)[1];
        // The first excerpt follows Chronicle's own documents.
        long from = which == 0 ? to - 64 : batches.get(which)[0];
        long at = from + random.nextLong(to - from);
        int bit = 1 << random.nextInt(8);
        flip(file, at, bit);
        List<String> after = verify(root());
        flip(file, at, bit);
        if (after.equals(before)) {
            throw new Violation("verify does not find the flipped bit " + bit + " of byte " + at + " of " + file
                    + ", in a batch from " + from + " to " + to + "; verify says " + before);
        }
    }

    private static void flip(Path file, long at, int bit) throws IOException {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.seek(at);
            int value = bytes.read();
            bytes.seek(at);
            bytes.write(value ^ bit);
        }
    }

    /** Without faults, everything that is in the journal reaches every destination, and the ledger closes. */
    private void finish() throws IOException {
        Life now = life();
        destinations.forEach(destination -> destination.mood = Destination.Mood.ANSWERS);
        for (Life.Shard shard : now.shards) {
            for (int i = 0; i < 5; i++) {
                if (now.datagram(shard.number, messages, random)) {
                    messages++;
                }
            }
            shard.cycle(true);
            shard.filler.flush();
            shard.passed();
        }
        throwViolation();
        int quiet = 0;
        for (int i = 0; i < 10_000 && quiet < 5; i++) {
            now.shards.forEach(shard -> shard.writer.doWork());
            clock.advance(50_000_000);
            int work = 0;
            for (var delivery : now.deliveries) {
                work += delivery.doWork();
            }
            quiet = work == 0 && now.isDrained() ? quiet + 1 : 0;
        }
        throwViolation();
        readDeadLetters();
        for (Life.Shard shard : now.shards) {
            shard.cycleAndCheck();
            for (Destination destination : destinations) {
                for (long sequence : content.get(shard.number).keySet()) {
                    if (!destination.isSettled(shard.number, sequence)) {
                        throw new Violation(
                                "shard " + shard.number + ": " + destination.name + " never got " + sequence);
                    }
                }
            }
        }
        now.stop();
    }

    @Override
    public String toString() {
        return plan.sync + ", " + plan.shards + " shards: " + log;
    }

    @Override
    public void close() throws IOException {
        if (life != null) {
            disk().die();
            life.close();
        }
        Disks.remove(root());
        if (Boolean.getBoolean("millrace.sim.keep")) {
            return;
        }
        try (Stream<Path> all = Files.list(base)) {
            for (Path each : all.toList()) {
                delete(each);
            }
        }
    }
}
