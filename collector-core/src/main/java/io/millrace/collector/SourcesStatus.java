package io.millrace.collector;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of source tracking.
 *
 * @param known tracked sources
 * @param forgotten sources removed from the table since the start, because it was full or after a week of silence
 * @param untracked datagrams since the start that were read and whose source was not added, because the table was full
 * @param missing missing sequence numbers since the start
 * @param restarts restarts of a source's numbering since the start
 * @param unfollowed datagrams since the start whose sequence number was not checked, because there were too many
 *     streams
 * @param behind datagrams in the journal that were not read yet
 * @param skipped datagrams since the start that were not read, because more arrived than are read per second; rates are estimates then,
 *     and gaps are found only among those that were read
 * @param numbering false if sequence numbers cannot be checked, because steering spreads a source over several shards
 * @param top the sources with the highest rates, in descending order
 * @param silent silent sources, the last heard first, at most 100
 * @param silentCount the number of silent sources
 * @param gaps the sources with the most missing numbers, in descending order
 */
public record SourcesStatus(
        long known,
        long forgotten,
        long untracked,
        long missing,
        long restarts,
        long unfollowed,
        long behind,
        long skipped,
        boolean numbering,
        List<Top> top,
        List<Silent> silent,
        long silentCount,
        List<Gaps> gaps) {
    /**
     * A source with a high rate.
     *
     * @param source its address
     * @param perSecond datagrams per second over the last 30 to 60 s
     * @param bytesPerSecond payload bytes per second
     */
    public record Top(SourceAddress source, double perSecond, double bytesPerSecond) {}

    /**
     * A source that is silent.
     *
     * @param source its address
     * @param lastHeard the receive time of its last datagram
     * @param usualSilence its longest silence before, with decay
     */
    public record Silent(SourceAddress source, Instant lastHeard, Duration usualSilence) {}

    /**
     * A source with sequence gaps.
     *
     * @param source its address
     * @param missing the number of missing sequence numbers
     */
    public record Gaps(SourceAddress source, long missing) {}

    /**
     * What a search has found.
     *
     * @param matched how many sources match
     * @param sources the busiest of them, in descending order
     */
    public record Found(long matched, List<Source> sources) {
        /** Copies the list. */
        public Found {
            sources = List.copyOf(sources);
        }
    }

    /**
     * A known source.
     *
     * @param source its address
     * @param host the host name in one of its last messages; null if they have none
     * @param relay true if its messages have several host names
     * @param lastHeard the receive time of its last datagram
     * @param usualSilence its longest silence before, with decay
     * @param silent true if it has been silent for longer than usual
     * @param perMinute its datagrams in each of the last minutes, the oldest first, up to the current minute
     */
    public record Source(
            SourceAddress source,
            @Nullable String host,
            boolean relay,
            Instant lastHeard,
            Duration usualSilence,
            boolean silent,
            List<Integer> perMinute) {
        /** Copies the list. */
        public Source {
            perMinute = List.copyOf(perMinute);
        }
    }

    /** Copies the lists. */
    public SourcesStatus {
        top = List.copyOf(top);
        silent = List.copyOf(silent);
        gaps = List.copyOf(gaps);
    }

    /** The same with another number of datagrams that were not read. */
    public SourcesStatus behind(long datagrams) {
        return new SourcesStatus(
                known,
                forgotten,
                untracked,
                missing,
                restarts,
                unfollowed,
                datagrams,
                skipped,
                numbering,
                top,
                silent,
                silentCount,
                gaps);
    }
}
