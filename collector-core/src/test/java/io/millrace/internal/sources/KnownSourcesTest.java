package io.millrace.internal.sources;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.collector.Network;
import io.millrace.collector.SilenceLimit;
import io.millrace.collector.SilenceRules;
import io.millrace.collector.SourcesStatus;
import io.millrace.internal.record.TestDatagram;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class KnownSourcesTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int CAPACITY = 1024;
    private static final long BEGAN = 1_700_000_000 * SECOND;
    private static final long FIRST = 0xffff_0a00_0001L;

    private final List<String> logged = new ArrayList<>();
    private final KnownSources known =
            new KnownSources(CAPACITY, SilenceLimit.times(3), (level, line) -> logged.add(level + " " + line));
    private final SequenceNumberFinder finder = new SequenceNumberFinder();
    private long nowNs = 1_700_000_000 * SECOND;

    private KnownSource heard(long low) {
        return known.heard(0, low, AddressHash.of(0, low), nowNs);
    }

    private void heard(long low, int times) {
        for (int i = 0; i < times; i++) {
            nowNs += SECOND;
            heard(low);
        }
    }

    private void numbered(long low, String payload) {
        SequenceNumber found = new SequenceNumber();
        finder.find(TestDatagram.of(payload).view(), found);
        assertThat(found.scheme).isNotNull();
        known.numbered(heard(low), found, nowNs, 0);
    }

    private List<String> silent() {
        return known.review(nowNs, BEGAN, true).silent().stream()
                .map(it -> it.source().toString())
                .toList();
    }

    @Test
    void floodDoesNotEvictEstablishedSources() {
        for (long source = 0; source < CAPACITY / 2; source++) {
            heard(FIRST + source, KnownSource.ESTABLISHED);
        }
        for (long source = 0; source < 1_000_000; source++) {
            heard(source << 16);
        }
        assertThat(known.count()).isEqualTo(CAPACITY);
        assertThat(known.forgotten() + known.untracked()).isEqualTo(1_000_000 - CAPACITY / 2);
        for (long source = 0; source < CAPACITY / 2; source++) {
            assertThat(heard(FIRST + source).isEstablished()).isTrue();
        }
    }

    @Test
    void sourcesAreFollowedAlthoughThereAreTooMany() {
        for (int round = 0; round < 100; round++) {
            for (long source = 0; source < 4 * CAPACITY; source++) {
                nowNs += 10_000;
                heard(source << 16);
            }
        }
        assertThat(known.count()).isEqualTo(CAPACITY);
        assertThat(known.find("", 1, false, nowNs).matched()).isGreaterThan(CAPACITY / 2);
    }

    @Test
    void fullTableAddsASampleOfManyNewSources() {
        for (long source = 0; source < CAPACITY; source++) {
            heard(source << 16);
        }
        nowNs += SECOND;
        int added = 0;
        for (long source = CAPACITY; source < 5 * CAPACITY; source++) {
            added += heard(source << 16) == null ? 0 : 1;
        }
        assertThat(added).isBetween(CAPACITY / 16, CAPACITY / 16 + 4 * CAPACITY / 64);
        assertThat(known.forgotten()).isEqualTo(added);
        assertThat(known.untracked()).isEqualTo(4 * CAPACITY - added);
    }

    @Test
    void fullTableAddsEachSourceWhileFewAreNew() {
        for (long source = 0; source < 4 * CAPACITY; source++) {
            nowNs += SECOND / (CAPACITY / 16);
            assertThat(heard(source << 16)).isNotNull();
        }
        assertThat(known.forgotten()).isEqualTo(3 * CAPACITY);
    }

    @Test
    void newcomersGetAnEighthOfTheCapacity() {
        for (long source = 0; source < CAPACITY; source++) {
            heard(FIRST + source, KnownSource.ESTABLISHED);
        }
        for (long source = 0; source < CAPACITY / 16; source++) {
            heard(source << 16);
        }
        for (int i = 1; i < KnownSource.ESTABLISHED; i++) {
            for (long source = 0; source < CAPACITY / 16; source++) {
                heard(source << 16);
            }
        }
        assertThat(heard(0).isEstablished()).isTrue();
        assertThat(known.count()).isEqualTo(CAPACITY);
        nowNs += SECOND;
        // The least recently heard sources are evicted.
        assertThat(heard(FIRST).isEstablished()).isFalse();
        assertThat(heard(FIRST + CAPACITY - 1).isEstablished()).isTrue();
    }

    @Test
    void sourceIsSilentAfterATimeWhateverItsSilencesWere() {
        KnownSources byTime = new KnownSources(
                CAPACITY, SilenceLimit.time(Duration.ofMinutes(10)), (level, line) -> logged.add(level + " " + line));
        for (int i = 0; i < 10; i++) {
            nowNs += 3600 * SECOND;
            byTime.heard(0, FIRST, AddressHash.of(0, FIRST), nowNs);
        }
        assertThat(byTime.review(nowNs + 600 * SECOND, BEGAN, true).silent()).isEmpty();
        assertThat(byTime.review(nowNs + 601 * SECOND, BEGAN, true).silent()).hasSize(1);
        assertThat(logged)
                .containsExactly("WARN Source 10.0.0.1 is silent: no datagram for 10 min 1 s, the limit is 10 min 0 s");
    }

    private static SilenceRules.Group group(String networks, String hosts, SilenceLimit limit) {
        return new SilenceRules.Group(
                Stream.of(networks.split(" ", -1))
                        .filter(it -> !it.isEmpty())
                        .map(Network::parse)
                        .toList(),
                Stream.of(hosts.split(" ", -1))
                        .filter(it -> !it.isEmpty())
                        .map(SilenceRules::host)
                        .toList(),
                limit);
    }

    @Test
    void groupsHaveLimitsOfTheirOwn() {
        known.rules(before -> new SilenceRules(
                SilenceLimit.time(Duration.ofMinutes(10)),
                List.of(
                        group("10.0.0.1", "", SilenceLimit.time(Duration.ofMinutes(1))),
                        group("10.0.0.0/31 2001:db8::/32", "", SilenceLimit.NEVER),
                        group("", "Lab-* web1", SilenceLimit.time(Duration.ofMinutes(2))))));
        for (long source = 0; source < 4; source++) {
            // 10.0.0.1, 10.0.0.2 and so on; the one before is in the muted network.
            heard(FIRST - 1 + source, 10);
        }
        Objects.requireNonNull(known.find(0, FIRST + 1, AddressHash.of(0, FIRST + 1)))
                .setHostName("LAB-7", nowNs);
        nowNs += 35 * SECOND;
        assertThat(silent()).isEmpty();
        nowNs += 35 * SECOND;
        assertThat(silent()).containsExactly("10.0.0.1");
        nowNs += 60 * SECOND;
        assertThat(silent()).containsExactlyInAnyOrder("10.0.0.1", "10.0.0.2");
        nowNs += 600 * SECOND;
        assertThat(silent()).containsExactlyInAnyOrder("10.0.0.1", "10.0.0.2", "10.0.0.3");
    }

    @Test
    void relayIsInNoGroupByTheHostsBehindIt() {
        known.rules(before -> new SilenceRules(
                SilenceLimit.time(Duration.ofMinutes(1)), List.of(group("", "web*", SilenceLimit.NEVER))));
        heard(FIRST, 10);
        KnownSource relay = Objects.requireNonNull(known.find(0, FIRST, AddressHash.of(0, FIRST)));
        relay.setHostName("web1", nowNs);
        relay.setHostName("web2", nowNs);
        nowNs += 61 * SECOND;
        assertThat(silent()).containsExactly("10.0.0.1");
    }

    @Test
    void mutedSourceIsNotSilentAnyMore() {
        heard(FIRST, 10);
        nowNs += 601 * SECOND;
        assertThat(silent()).containsExactly("10.0.0.1");
        known.rules(before -> new SilenceRules(before.others(), List.of(group("10.0.0.0/8", "", SilenceLimit.NEVER))));
        assertThat(silent()).isEmpty();
        assertThat(known.silentCount()).isZero();
        known.rules(before -> SilenceRules.of(before.others()));
        assertThat(silent()).as("unmuted").containsExactly("10.0.0.1");
    }

    @Test
    void deniedSourceIsNotSilent() {
        heard(FIRST, 10);
        heard(FIRST + 1, 10);
        known.rules(before -> before.denying(source -> source.toString().equals("10.0.0.1")));
        nowNs += 601 * SECOND;
        assertThat(silent()).containsExactly("10.0.0.2");
        known.rules(before -> before.denying(source -> true));
        assertThat(silent()).isEmpty();
    }

    @Test
    void sourceIsSilentAfterThreeTimesItsLongestSilence() {
        heard(FIRST, 10);
        nowNs += 100 * SECOND;
        heard(FIRST);
        nowNs += 299 * SECOND;
        assertThat(silent()).isEmpty();
        nowNs += 2 * SECOND;
        assertThat(silent()).containsExactly("10.0.0.1");
        assertThat(silent()).containsExactly("10.0.0.1");
        assertThat(logged)
                .containsExactly(
                        "WARN Source 10.0.0.1 is silent: no datagram for 5 min 1 s, its longest silence is 1 min 40 s");
        nowNs += SECOND;
        heard(FIRST);
        assertThat(silent()).isEmpty();
        assertThat(known.silentCount()).isZero();
        assertThat(logged).hasSize(2).last().isEqualTo("INFO Source 10.0.0.1 sends again after 5 min 2 s");
    }

    @Test
    void frequentSourceIsSilentAfterAMinute() {
        heard(FIRST, 10);
        nowNs += 60 * SECOND;
        assertThat(silent()).isEmpty();
        nowNs += SECOND;
        assertThat(silent()).hasSize(1);
    }

    @Test
    void burstsDoNotShortenTheLongestSilence() {
        for (int burst = 0; burst < 3; burst++) {
            nowNs += 600 * SECOND;
            for (int i = 0; i < 100_000; i++) {
                nowNs += 1000;
                heard(FIRST);
            }
        }
        nowNs += 1700 * SECOND;
        assertThat(silent()).isEmpty();
        nowNs += 200 * SECOND;
        assertThat(silent()).hasSize(1);
    }

    @Test
    void longestSilenceDecays() {
        heard(FIRST, 10);
        nowNs += 3600 * SECOND;
        heard(FIRST);
        for (int minute = 0; minute < 4 * 24 * 60; minute++) {
            nowNs += 60 * SECOND;
            heard(FIRST);
        }
        nowNs += 300 * SECOND;
        assertThat(silent()).hasSize(1);
    }

    @Test
    void newcomersAndPartlyReadSourcesAreNotSilent() {
        heard(FIRST, 9);
        heard(FIRST + 1, 10);
        nowNs += 1000 * SECOND;
        assertThat(known.review(nowNs, BEGAN, false).silent()).isEmpty();
        assertThat(silent()).containsExactly("10.0.0.2");
    }

    @Test
    void sourceIsForgottenAfterAWeekOfSilence() {
        heard(FIRST, 10);
        nowNs += 8 * 24 * 3600 * SECOND;
        assertThat(silent()).hasSize(1);
        assertThat(silent()).isEmpty();
        assertThat(known.count()).isZero();
        assertThat(known.silentCount()).isZero();
        assertThat(known.forgotten()).isEqualTo(1);
    }

    @Test
    void logHasTenSilentSourcesPerMinuteAndTheNumberOfTheOthers() {
        IntStream.range(0, 150).forEach(i -> heard(FIRST + i, 10));
        nowNs += 1000 * SECOND;
        assertThat(silent()).hasSize(100);
        assertThat(known.silentCount()).isEqualTo(150);
        assertThat(logged).hasSize(10);
        nowNs += 60 * SECOND;
        assertThat(silent()).hasSize(100);
        assertThat(logged).hasSize(11).last().isEqualTo("WARN 140 more sources fell silent and 0 send again");
    }

    @Test
    void reviewListsTheSourcesWithMostMissingNumbers() {
        for (int source = 0; source < 20; source++) {
            heard(FIRST + source, 10);
            for (int i = 0; i < 5; i++) {
                // Each source has a larger gap than the previous one.
                numbered(FIRST + source, "<189>" + (100 + i * (source + 1)) + ": x");
            }
        }
        nowNs += 20 * SECOND;
        List<SourcesStatus.Gaps> gaps = known.review(nowNs, BEGAN, true).gaps();
        assertThat(gaps).hasSize(10);
        assertThat(gaps.get(0).source().toString()).isEqualTo("10.0.0.20");
        assertThat(gaps)
                .extracting(SourcesStatus.Gaps::missing)
                .containsExactly(76L, 72L, 68L, 64L, 60L, 56L, 52L, 48L, 44L, 40L);
        assertThat(known.numbers().missing).isEqualTo(4 * 19 * 20 / 2);
    }

    @Test
    void totalsKeepTheGapsOfForgottenSources() {
        heard(FIRST, 10);
        numbered(FIRST, "<189>1: x");
        numbered(FIRST, "<189>5: x");
        nowNs += 20 * SECOND;
        known.review(nowNs, BEGAN, true);
        assertThat(known.numbers().streams()).isEqualTo(1);
        nowNs += 8 * 24 * 3600 * SECOND;
        known.review(nowNs, BEGAN, true);
        assertThat(known.count()).isZero();
        assertThat(known.numbers().missing).isEqualTo(3);
        assertThat(known.numbers().streams()).isZero();
    }

    private void heardTogether(long low, int times) {
        for (int i = 0; i < times; i++) {
            KnownSource source = heard(low);
            if (source.isEstablished()) {
                source.count(nowNs, 1, 100);
            }
        }
    }

    private List<String> top(long atNs) {
        return known.review(atNs, BEGAN, true).top().stream()
                .map(it -> it.source().low() - FIRST + " " + Math.round(it.perSecond()) + " "
                        + Math.round(it.bytesPerSecond()))
                .toList();
    }

    /** The first nine datagrams do not count. */
    @Test
    void topSourcesHaveTheRatesOfTheLastMinute() {
        long window = 30 * SECOND;
        long begin = nowNs - nowNs % window + window;
        nowNs = begin;
        heardTogether(FIRST + 1, 309);
        heardTogether(FIRST + 2, 9);
        assertThat(known.review(begin + 10 * SECOND, begin, true).top())
                .singleElement()
                .satisfies(it -> {
                    assertThat(it.perSecond()).isEqualTo(30);
                    assertThat(it.bytesPerSecond()).isEqualTo(3000);
                });
        nowNs = begin + window;
        heardTogether(FIRST + 2, 450);
        heardTogether(FIRST + 1, 30);
        assertThat(top(begin + window + 15 * SECOND)).containsExactly("2 10 1000", "1 7 733");
        assertThat(top(begin + 2 * window)).containsExactly("2 15 1500", "1 1 100");
        assertThat(top(begin + 3 * window)).isEmpty();

        nowNs = begin - 1000 * SECOND;
        heardTogether(FIRST + 1, 60);
        assertThat(known.review(nowNs + 5 * SECOND, nowNs - 100 * SECOND, true).top())
                .singleElement()
                .satisfies(it -> assertThat(it.perSecond()).isPositive());
    }

    @Test
    void tenTopSourcesAreFoundAmongManyAndAFloodHidesNone() {
        for (int source = 1; source <= 50; source++) {
            heardTogether(FIRST + source, 10 + source);
        }
        for (long source = 0; source < 100_000; source++) {
            heard(source << 16);
        }
        assertThat(known.review(nowNs, BEGAN, true).top())
                .extracting(it -> it.source().low() - FIRST)
                .containsExactly(50L, 49L, 48L, 47L, 46L, 45L, 44L, 43L, 42L, 41L);
    }
}
