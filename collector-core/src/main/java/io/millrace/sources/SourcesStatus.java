package io.millrace.sources;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * What is known of the sources at a moment.
 *
 * @param known sources that are known now
 * @param forgotten sources that were forgotten since the start, for want of room or after a week without a word
 * @param missing numbers missing in what sources number, since the start
 * @param restarts how often a source began to number again, since the start
 * @param unfollowed numbered datagrams whose numbering is not followed for want of room, since the start
 * @param behind datagrams in the journal that were not looked at yet
 * @param numbering false if numbers cannot be followed, because steering puts a source's datagrams in several shards
 * @param top those that send most, most first
 * @param silent sources that are silent, those heard last first, 100 at the most
 * @param silentCount how many are silent
 * @param gaps those with most numbers missing, most first
 */
public record SourcesStatus(
        long known,
        long forgotten,
        long missing,
        long restarts,
        long unfollowed,
        long behind,
        boolean numbering,
        List<Top> top,
        List<Silent> silent,
        long silentCount,
        List<Gaps> gaps) {
    /**
     * A source that sends much.
     *
     * @param source its address
     * @param perSecond datagrams per second in the last half to one minute, never too low
     * @param bytesPerSecond payload bytes per second, never too high
     * @param atMostOver how much too high the datagrams per second may be
     */
    public record Top(SourceAddress source, double perSecond, double bytesPerSecond, double atMostOver) {}

    /**
     * A source that is silent.
     *
     * @param source its address
     * @param lastHeard receive time of its last datagram
     * @param usualSilence how long it is silent at times
     */
    public record Silent(SourceAddress source, Instant lastHeard, Duration usualSilence) {}

    /**
     * A source with numbers missing.
     *
     * @param source its address
     * @param missing how many
     */
    public record Gaps(SourceAddress source, long missing) {}

    /** Copies the lists. */
    public SourcesStatus {
        top = List.copyOf(top);
        silent = List.copyOf(silent);
        gaps = List.copyOf(gaps);
    }

    SourcesStatus behind(long datagrams) {
        return new SourcesStatus(
                known, forgotten, missing, restarts, unfollowed, datagrams, numbering, top, silent, silentCount, gaps);
    }
}
