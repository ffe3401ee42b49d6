package io.millrace.internal.sources;

import io.millrace.collector.SilenceLimit;
import io.millrace.collector.SilenceRules;
import io.millrace.collector.SourceAddress;
import io.millrace.collector.SourcesStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * The table of tracked sources: an LRU cache of at most {@value #CAPACITY} sources. Sources with fewer than
 * {@value KnownSource#ESTABLISHED} datagrams are newcomers. They are evicted first, as long as they use an eighth of
 * the capacity. So a flood of spoofed addresses does not evict established sources. Only established sources have their
 * sequence numbers checked and can be reported as silent.
 *
 * <p>A full table adds a limited number of sources per second, and above that only a sample. So eviction costs little, and a
 * source stays for seconds even if there are far more sources than the table holds.
 *
 * <p>A datagram of a known source costs one hash table lookup and no allocation. The object of an evicted source is
 * reused for the next one. The position of a source in the LRU order is updated at most once per second. One thread.
 */
final class KnownSources {
    static final int CAPACITY = 65_536;
    private static final int NEWCOMERS = 8;
    /** So many that the place of an unknown source is usually empty, and no other source has to be read from memory. */
    private static final int PLACES_PER_SOURCE = 8;
    /** A full table adds each new source up to this part of its capacity per second, as a divisor. Above that it samples. */
    private static final int UNSAMPLED = 16;
    /** One of so many datagrams of unknown sources adds its source, when the table samples. */
    private static final int SAMPLING = 64;

    private static final int MAX_SILENT = 100;
    private static final int HOST_NAME_BITS = 16;
    private static final int MAX_LISTED = 10;
    private static final Comparator<KnownSource> BY_RATE = Comparator.comparingDouble(KnownSource::perSecond);
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long FORGET_NS = TimeUnit.DAYS.toNanos(7);

    private final int capacity;
    private SilenceRules rules;
    private final SilenceLog log;
    private final @Nullable KnownSource[] table;
    private final RecencyList newcomers = new RecencyList();
    private final RecencyList established = new RecencyList();
    private final SourceSequences.Budget budget;
    /** The low bits of the hashes of sources whose next datagram is searched for a host name. */
    private final BitSet wantHostName = new BitSet(1 << HOST_NAME_BITS);

    private long secondNs;
    /** Datagrams of unknown sources since then, while the table was full. */
    private int unknown;

    private long forgotten;
    private long untracked;
    private long silentCount;

    /**
     * The result of a review.
     *
     * @param top the sources with the highest rates, in descending order
     * @param silent silent sources, the last heard first
     * @param gaps the sources with the most missing numbers, in descending order
     */
    record Review(List<SourcesStatus.Top> top, List<SourcesStatus.Silent> silent, List<SourcesStatus.Gaps> gaps) {}

    KnownSources(SilenceLimit silentAfter, BiConsumer<Level, String> log) {
        this(CAPACITY, silentAfter, log);
    }

    /** Changes when sources count as silent. */
    void rules(UnaryOperator<SilenceRules> change) {
        rules = change.apply(rules);
    }

    /**
     * Creates an empty table.
     *
     * @param capacity the maximum number of sources, and of sequence streams; a power of two
     * @param silentAfter when a source is reported as silent
     */
    KnownSources(int capacity, SilenceLimit silentAfter, BiConsumer<Level, String> log) {
        this.capacity = capacity;
        this.rules = SilenceRules.of(silentAfter);
        this.log = new SilenceLog(log);
        this.table = new KnownSource[PLACES_PER_SOURCE * capacity];
        this.budget = new SourceSequences.Budget(capacity);
    }

    /** Records a datagram of a source. Returns null if the table is full and this source was not added. */
    @Nullable
    KnownSource heard(long high, long low, int hash, long timeNs) {
        KnownSource source = find(high, low, hash);
        if (source == null) {
            if (count() == capacity && !mayAdd(timeNs)) {
                untracked++;
                return null;
            }
            source = add(high, low, hash, timeNs);
        }
        heard(source, timeNs);
        return source;
    }

    /** The source with an address; null if it is unknown. */
    @Nullable
    KnownSource find(long high, long low, int hash) {
        KnownSource source = table[hash & table.length - 1];
        while (source != null && (source.low != low || source.high != high)) {
            source = source.sameHash;
        }
        return source;
    }

    /** Records another datagram of a source. */
    void heard(KnownSource source, long timeNs) {
        if (source.silent) {
            source.silent = false;
            silentCount--;
            log.back(source.address(), timeNs - source.lastNs(), timeNs);
        }
        if (source.record(timeNs)) {
            newcomers.remove(source);
            established.add(source);
            wantHostName.set(hostNameBit(source.hash));
        } else if (timeNs - source.touchedNs > SECOND_NS) {
            source.touchedNs = timeNs;
            RecencyList list = listOf(source);
            list.remove(source);
            list.add(source);
        }
    }

    /** Adds an established source that an earlier process knew; the last one added is the newest. */
    void restore(
            SourceAddress address,
            long lastNs,
            long usualSilenceNs,
            boolean silent,
            @Nullable String host,
            long nowNs) {
        int hash = AddressHash.of(address.high(), address.low());
        if (count() == capacity || find(address.high(), address.low(), hash) != null) {
            return;
        }
        KnownSource source = add(address.high(), address.low(), hash, lastNs);
        newcomers.remove(source);
        source.restore(lastNs, usualSilenceNs, silent, nowNs);
        source.host = host;
        established.add(source);
        if (silent) {
            silentCount++;
        }
    }

    @Nullable
    KnownSource oldestEstablished() {
        return established.oldest();
    }

    private RecencyList listOf(KnownSource source) {
        return source.isEstablished() ? established : newcomers;
    }

    private boolean mayAdd(long timeNs) {
        if (Math.abs(timeNs - secondNs) >= SECOND_NS) {
            secondNs = timeNs;
            unknown = 0;
        }
        unknown++;
        return unknown <= capacity / UNSAMPLED || unknown % SAMPLING == 0;
    }

    private KnownSource add(long high, long low, int hash, long timeNs) {
        KnownSource source = count() < capacity ? new KnownSource() : forgetOldest();
        source.reset(high, low, hash, timeNs);
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
            throw new IllegalStateException("the table of sources is full, but there is no source to evict");
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

    /** True if a source whose hash has the same low bits may want a host name. */
    boolean mayWantHostName(int hash) {
        return wantHostName.get(hostNameBit(hash));
    }

    /** The source has got its host name, or its message had none. Another one with the same bit waits for the next review. */
    void gotHostName(KnownSource source) {
        wantHostName.clear(hostNameBit(source.hash));
    }

    private static int hostNameBit(int hash) {
        return hash & (1 << HOST_NAME_BITS) - 1;
    }

    /** Records the sequence number of a datagram, after {@link #heard}. */
    void numbered(KnownSource source, SequenceNumber found, long timeNs, int shard) {
        NumberingScheme scheme = found.scheme;
        if (scheme == null || !source.isEstablished()) {
            return;
        }
        SourceSequences numbers = source.numbers;
        if (numbers == null) {
            numbers = new SourceSequences(budget);
            source.numbers = numbers;
        }
        numbers.accept(scheme, found, timeNs, shard);
    }

    /** Leaves a time in which nothing was read out of the silence of all sources. */
    void pause(long ns) {
        for (KnownSource source = established.newest(); source != null; source = source.older) {
            source.pause(ns);
        }
    }

    /** Restarts the sequence check of streams in a shard, because a part of it could not be read. */
    void forgetNumbers(int shard) {
        for (KnownSource source = established.newest(); source != null; source = source.older) {
            if (source.numbers != null) {
                source.numbers.forget(shard);
            }
        }
    }

    /**
     * Finds top sources, silent sources and sources with sequence gaps, among the established ones.
     *
     * @param beganNs the beginning of source tracking
     * @param allRead true if all received datagrams have been read; otherwise no source is reported as silent
     */
    Review review(long nowNs, long beganNs, boolean allRead) {
        PriorityQueue<KnownSource> top = new PriorityQueue<>(BY_RATE);
        PriorityQueue<KnownSource> gaps = new PriorityQueue<>(Comparator.comparingLong(KnownSource::missing));
        List<KnownSource> silent = new ArrayList<>();
        wantHostName.clear();
        KnownSource source = established.newest();
        while (source != null) {
            KnownSource next = source.older;
            if (allRead) {
                checkSilence(source, nowNs);
            }
            if (source.silent && silent.size() < MAX_SILENT) {
                silent.add(source);
            }
            source.measureRate(nowNs, beganNs);
            if (source.wantsHostName(nowNs)) {
                wantHostName.set(hostNameBit(source.hash));
            }
            if (source.perSecond() > 0) {
                addLimited(top, source);
            }
            if (source.missing() > 0) {
                addLimited(gaps, source);
            }
            if (allRead && source.silenceNs(nowNs) > FORGET_NS) {
                forget(source);
            }
            source = next;
        }
        log.endMinute(nowNs);
        return new Review(
                top.stream().sorted(BY_RATE.reversed()).map(KnownSource::top).toList(),
                silent.stream().map(KnownSources::silent).toList(),
                gaps.stream()
                        .sorted(Comparator.comparingLong(KnownSource::missing).reversed())
                        .map(it -> new SourcesStatus.Gaps(it.address(), it.missing()))
                        .toList());
    }

    /** See {@link SourceTracker#find}. */
    SourcesStatus.Found find(String text, int limit, boolean withHosts, long nowNs) {
        String wanted = text.toLowerCase(Locale.ROOT);
        PriorityQueue<Busy> busiest = new PriorityQueue<>(Comparator.comparingLong(Busy::datagrams));
        long matched = 0;
        for (KnownSource source = established.newest(); source != null; source = source.older) {
            if (matches(source, wanted, withHosts)) {
                matched++;
                busiest.add(new Busy(source, source.recent(nowNs)));
                if (busiest.size() > limit) {
                    busiest.poll();
                }
            }
        }
        return new SourcesStatus.Found(
                matched,
                busiest.stream()
                        .sorted(Comparator.comparingLong(Busy::datagrams).reversed())
                        .map(each -> each.source.status(nowNs))
                        .toList());
    }

    private record Busy(KnownSource source, long datagrams) {}

    private static boolean matches(KnownSource source, String wanted, boolean withHosts) {
        String host = withHosts ? source.host : null;
        return wanted.isEmpty()
                || source.address().toString().contains(wanted)
                || (host != null && host.toLowerCase(Locale.ROOT).contains(wanted));
    }

    private static <T> void addLimited(PriorityQueue<T> highest, T value) {
        highest.add(value);
        if (highest.size() > MAX_LISTED) {
            highest.poll();
        }
    }

    private void checkSilence(KnownSource source, long nowNs) {
        if (source.numbers != null) {
            source.numbers.settle(nowNs);
        }
        if (!source.silent && source.silenceNs(nowNs) < SilenceLimit.MIN_TIME.toNanos()) {
            return;
        }
        SilenceLimit limit = rules.limit(source.address(), source.ownHost(nowNs));
        if (source.silent && (limit.isNever() || !source.isSilentBy(nowNs, limit))) {
            source.silent = false;
            silentCount--;
        } else if (!source.silent && source.isOverdue(nowNs, limit)) {
            source.silent = true;
            silentCount++;
            log.silent(source, limit, nowNs);
        }
    }

    private static SourcesStatus.Silent silent(KnownSource source) {
        return new SourcesStatus.Silent(
                source.address(), Instant.EPOCH.plusNanos(source.lastNs()), Duration.ofNanos(source.usualSilenceNs()));
    }

    int count() {
        return newcomers.size() + established.size();
    }

    /** The number of sources that were removed since the start. */
    long forgotten() {
        return forgotten;
    }

    /** The number of datagrams whose source was not added, because the table was full, since the start. */
    long untracked() {
        return untracked;
    }

    long silentCount() {
        return silentCount;
    }

    /** The totals of the sequence checks of all sources. */
    SourceSequences.Budget numbers() {
        return budget;
    }
}
