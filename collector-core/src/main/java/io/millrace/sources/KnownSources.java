package io.millrace.sources;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The sources that are known, {@value #CAPACITY} at the most. When there is no room the one that was heard longest ago is
 * forgotten. Newcomers, of which fewer than {@value KnownSource#ESTABLISHED} datagrams came, make room first, as long as
 * they hold an eighth of it: a flood of made-up sources does not push out those that are established. Only these have
 * their numbers followed, and can be silent.
 *
 * <p>A source that is known costs a look into a hash table and allocates nothing; one that is forgotten is the object of
 * the next. Its place in the order is renewed every second. One thread.
 */
final class KnownSources {
    static final int CAPACITY = 65_536;
    private static final int NEWCOMERS = 8;
    private static final int MAX_SILENT = 100;
    private static final int MAX_GAPS = 10;
    private static final long TOUCH_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long FORGET_NS = TimeUnit.DAYS.toNanos(7);

    private final int capacity;
    private final int silentAfter;
    private final SilenceLog log;
    private final @Nullable KnownSource[] table;
    private final RecencyList newcomers = new RecencyList();
    private final RecencyList established = new RecencyList();
    private final SourceSequences.Budget budget;
    private long forgotten;
    private long silentCount;

    /**
     * What a review found.
     *
     * @param silent those that are silent, heard last first
     * @param gaps those with most numbers missing, most first
     */
    record Review(List<SourcesStatus.Silent> silent, List<SourcesStatus.Gaps> gaps) {}

    KnownSources(int silentAfter, Consumer<String> log) {
        this(CAPACITY, silentAfter, log);
    }

    /**
     * Makes an empty one.
     *
     * @param capacity the most sources to know, and the most number streams, a power of two
     * @param silentAfter how many times its longest silence a source is silent before that is said
     */
    KnownSources(int capacity, int silentAfter, Consumer<String> log) {
        this.capacity = capacity;
        this.silentAfter = silentAfter;
        this.log = new SilenceLog(log);
        this.table = new KnownSource[2 * capacity];
        this.budget = new SourceSequences.Budget(capacity);
    }

    /** A datagram of a source has come. */
    KnownSource heard(long high, long low, int hash, long timeNs) {
        KnownSource source = table[hash & table.length - 1];
        while (source != null && (source.low != low || source.high != high)) {
            source = source.sameHash;
        }
        if (source == null) {
            source = add(high, low, hash, timeNs);
        }
        if (source.silent) {
            source.silent = false;
            silentCount--;
            log.back(source.address(), timeNs - source.lastNs(), timeNs);
        }
        if (source.heard(timeNs)) {
            newcomers.remove(source);
            established.add(source);
        } else if (timeNs - source.touchedNs > TOUCH_NS) {
            source.touchedNs = timeNs;
            RecencyList list = listOf(source);
            list.remove(source);
            list.add(source);
        }
        return source;
    }

    private RecencyList listOf(KnownSource source) {
        return source.isEstablished() ? established : newcomers;
    }

    private KnownSource add(long high, long low, int hash, long timeNs) {
        KnownSource source = count() < capacity ? new KnownSource() : forgetOldest();
        source.become(high, low, hash, timeNs);
        int place = hash & table.length - 1;
        source.sameHash = table[place];
        table[place] = source;
        newcomers.add(source);
        return source;
    }

    private KnownSource forgetOldest() {
        KnownSource oldest = newcomers.size() >= Math.max(1, capacity / NEWCOMERS) || established.oldest() == null
                ? newcomers.oldest()
                : established.oldest();
        if (oldest == null) {
            throw new IllegalStateException("no source is known, and there is no room");
        }
        return forget(oldest);
    }

    private KnownSource forget(KnownSource source) {
        listOf(source).remove(source);
        int place = source.hash & table.length - 1;
        KnownSource before = table[place];
        if (before == source) {
            table[place] = source.sameHash;
        }
        while (before != null && before != source) {
            if (before.sameHash == source) {
                before.sameHash = source.sameHash;
            }
            before = before.sameHash;
        }
        if (source.numbers != null) {
            source.numbers.drop();
        }
        if (source.silent) {
            silentCount--;
        }
        forgotten++;
        return source;
    }

    /** A datagram of a source that was just heard has a number. */
    void numbered(KnownSource source, NumberingScheme numbering, SequenceNumberFinder found, long timeNs, int shard) {
        if (!source.isEstablished()) {
            return;
        }
        SourceSequences numbers = source.numbers;
        if (numbers == null) {
            numbers = new SourceSequences(budget);
            source.numbers = numbers;
        }
        numbers.accept(numbering, found, timeNs, shard);
    }

    /** A part of a shard could not be read: what is missing there is not the sources'. */
    void forgetNumbers(int shard) {
        for (KnownSource source = established.newest(); source != null; source = source.older) {
            if (source.numbers != null) {
                source.numbers.forget(shard);
            }
        }
    }

    /**
     * Looks through all that are established.
     *
     * @param allRead true if all that was received until now has been heard: only then it can be said that something did
     *     not come
     */
    Review review(long nowNs, boolean allRead) {
        PriorityQueue<KnownSource> gaps = new PriorityQueue<>(Comparator.comparingLong(KnownSource::missing));
        List<KnownSource> silent = new ArrayList<>();
        KnownSource source = established.newest();
        while (source != null) {
            KnownSource next = source.older;
            if (allRead) {
                judge(source, nowNs);
            }
            if (source.silent && silent.size() < MAX_SILENT) {
                silent.add(source);
            }
            if (source.missing() > 0) {
                gaps.add(source);
                if (gaps.size() > MAX_GAPS) {
                    gaps.poll();
                }
            }
            if (allRead && nowNs - source.lastNs() > FORGET_NS) {
                forget(source);
            }
            source = next;
        }
        log.turn(nowNs);
        return new Review(
                silent.stream().map(KnownSources::silent).toList(),
                gaps.stream()
                        .sorted(Comparator.comparingLong(KnownSource::missing).reversed())
                        .map(it -> new SourcesStatus.Gaps(it.address(), it.missing()))
                        .toList());
    }

    private void judge(KnownSource source, long nowNs) {
        if (source.numbers != null) {
            source.numbers.settle(nowNs);
        }
        if (!source.silent && source.isOverdue(nowNs, silentAfter)) {
            source.silent = true;
            silentCount++;
            log.silent(source, nowNs);
        }
    }

    private static SourcesStatus.Silent silent(KnownSource source) {
        return new SourcesStatus.Silent(
                source.address(), Instant.EPOCH.plusNanos(source.lastNs()), Duration.ofNanos(source.usualSilenceNs()));
    }

    /** How many are known. */
    int count() {
        return newcomers.size() + established.size();
    }

    /** How many were forgotten. */
    long forgotten() {
        return forgotten;
    }

    /** How many are silent. */
    long silentCount() {
        return silentCount;
    }

    /** What the numbers of all sources told so far. */
    SourceSequences.Budget numbers() {
        return budget;
    }
}
