package io.millrace.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.collector.Network;
import io.millrace.collector.NetworkSet;
import io.millrace.collector.PolicySettings;
import io.millrace.collector.RateLimit;
import io.millrace.internal.policy.Policy.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Policies, with a clock that the test moves. */
class PolicyTest {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final Network FIRST = Network.parse("192.0.2.1");
    private static final Network SECOND = Network.parse("192.0.2.2");
    private static final Network ELSEWHERE = Network.parse("198.51.100.1");

    private long nowNs = 1_700_000_000L * SECOND_NS;

    @Test
    void emptySettingsAreNoPolicy() {
        assertThat(Policy.of(PolicySettings.NONE)).isSameAs(Policy.NONE);
        assertThat(ask(Policy.NONE, FIRST, 100)).isEqualTo(Verdict.PASS);
    }

    @Test
    void deniedDatagramsAreNotCharged() {
        Policy policy = Policy.of(
                new PolicySettings(NetworkSet.of(List.of(), List.of(FIRST)), null, new RateLimit(1, 0), 24, 64));
        assertThat(ask(policy, FIRST, 100)).isEqualTo(Verdict.DENIED);
        assertThat(ask(policy, SECOND, 100)).isEqualTo(Verdict.PASS);
        assertThat(ask(policy, SECOND, 100)).isEqualTo(Verdict.RATE_LIMITED);
    }

    @Test
    void burstOfOneSecondPassesAndThenTheRate() {
        Policy policy = perSource(new RateLimit(1000, 0));
        assertThat(passing(policy, FIRST, 5000, 10)).isEqualTo(1000);
        nowNs += SECOND_NS / 1000;
        assertThat(passing(policy, FIRST, 10, 10)).isEqualTo(1);
        nowNs += SECOND_NS / 2;
        assertThat(passing(policy, FIRST, 5000, 10)).isEqualTo(500);
        nowNs += 100 * SECOND_NS;
        assertThat(passing(policy, FIRST, 5000, 10)).isEqualTo(1000);
    }

    @Test
    void ratesThatDoNotDivideASecondAreKeptOverTime() {
        for (int rate : new int[] {1, 3, 7, 997, 30_001}) {
            Policy policy = perSource(new RateLimit(rate, 0));
            int passed = passing(policy, FIRST, rate, 10);
            for (int tick = 0; tick < 1000; tick++) {
                nowNs += 10_000_000;
                passed += passing(policy, FIRST, rate, 10);
            }
            assertThat(passed).as("%d msg/s", rate).isBetween(rate * 11 - 1, (int) (rate * 11 * 1.001) + 1);
            nowNs += 10 * SECOND_NS;
        }
    }

    @Test
    void bytesAndDatagramsAreBothLimited() {
        Policy policy = perSource(new RateLimit(1000, 10_000));
        assertThat(passing(policy, FIRST, 100, 1000)).isEqualTo(10);
        assertThat(passing(policy, SECOND, 2000, 0)).isEqualTo(1000);
        nowNs += SECOND_NS / 10;
        assertThat(passing(policy, FIRST, 100, 1000)).isEqualTo(1);
    }

    /** Otherwise such a datagram would never pass. */
    @Test
    void datagramAboveTheByteRatePassesAndIsChargedInFull() {
        Policy policy = perSource(new RateLimit(0, 1000));
        int passed = 0;
        for (int i = 0; i < 1000; i++) {
            nowNs += SECOND_NS / 10;
            passed += passing(policy, FIRST, 1, 5000);
        }
        assertThat(passed).isEqualTo(20);
    }

    @Test
    void sourceAndNetworkLimitsBothApply() {
        Policy policy = Policy.of(new PolicySettings(null, new RateLimit(10, 0), new RateLimit(15, 0), 24, 64));
        assertThat(passing(policy, FIRST, 100, 1)).isEqualTo(10);
        assertThat(passing(policy, SECOND, 100, 1)).isEqualTo(5);
        assertThat(passing(policy, ELSEWHERE, 100, 1)).isEqualTo(10);
        assertThat(passing(policy, Network.parse("2001:db8::1"), 100, 1)).isEqualTo(10);
        assertThat(passing(policy, Network.parse("2001:db8::2:1"), 100, 1)).isEqualTo(5);
        assertThat(passing(policy, Network.parse("2001:db8:0:1::1"), 100, 1)).isEqualTo(10);
    }

    /** A receiver lags behind another by the datagrams queued in its socket. Its older times must not refill a bucket. */
    @Test
    void receiversThatLagDoNotRefillBuckets() {
        Policy policy = perSource(new RateLimit(100, 100_000));
        int passed = 0;
        for (int i = 0; i < 100; i++) {
            passed += passing(policy, FIRST, 10, 1);
            nowNs -= 5 * SECOND_NS;
            passed += passing(policy, FIRST, 10, 1);
            nowNs += 5 * SECOND_NS + SECOND_NS / 20;
        }
        // A burst of one second, then five seconds at the rate.
        assertThat(passed).isBetween(590, 600);
    }

    @Test
    void clockSetBackDoesNotBlockASource() {
        ArrivalClock clock = new ArrivalClock();
        BucketTable table = new BucketTable(new RateLimit(100, 100_000), 32, 128, 1);
        clock.compare(nowNs);
        assertThat(taken(table, clock.time(nowNs))).isEqualTo(100);
        long beforeNs = nowNs;
        nowNs -= 3600 * SECOND_NS;
        assertThat(taken(table, clock.time(nowNs))).isZero();
        clock.compare(nowNs);
        // A receiver that still has the old time.
        assertThat(taken(table, clock.time(beforeNs))).isZero();
        clock.compare(nowNs);
        assertThat(taken(table, clock.time(nowNs))).isEqualTo(100);
        clock.compare(nowNs);
        nowNs += SECOND_NS / 2;
        assertThat(taken(table, clock.time(nowNs))).isEqualTo(50);
    }

    private static int taken(BucketTable table, long nowNs) {
        int taken = 0;
        for (int i = 0; i < 1000; i++) {
            int entry = table.entry(false, FIRST.high(), FIRST.low(), nowNs);
            if (table.hasRoom(entry, 1, nowNs)) {
                table.take(entry, 1, nowNs);
                taken++;
            }
        }
        return taken;
    }

    @Test
    void millionSourcesAreLimitedInFixedMemory() {
        Policy policy = perSource(new RateLimit(1, 0));
        int sources = 1_000_000;
        int passed = 0;
        for (int i = 0; i < sources; i++) {
            passed += passing(policy, new Network(false, (long) i << 32, 0, 32), 1, 1);
        }
        // At one moment, only as many sources pass as the table has entries.
        assertThat(passed).isBetween(BucketTable.ENTRIES * 9 / 10, BucketTable.ENTRIES);
        nowNs += SECOND_NS;
        // All buckets are full again, so other sources can reuse their entries.
        assertThat(passing(policy, new Network(false, 77L << 32, 0, 32), 5, 1)).isEqualTo(1);
        assertThat(passing(policy, ELSEWHERE, 5, 1)).isEqualTo(1);
    }

    @Test
    void concurrentThreadsShareOneLimit() throws InterruptedException {
        Policy policy = perSource(new RateLimit(50_000, 0));
        AtomicInteger passed = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            threads.add(new Thread(() -> passed.addAndGet(passing(policy, FIRST, 50_000, 1))));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        // Each other thread may let one datagram too many pass.
        assertThat(passed.get()).isBetween(50_000, 50_003);
    }

    @Test
    void beginAndEndOfALimitAreLoggedOnce() {
        Policy policy = perSource(new RateLimit(10, 0));
        List<String> lines = new ArrayList<>();
        for (int second = 0; second < 5; second++) {
            passing(policy, FIRST, 100, 1);
            policy.tick(lines::add);
            nowNs += SECOND_NS;
        }
        assertThat(lines)
                .containsExactly(
                        "source 192.0.2.1 is above its limit of 10 datagrams/s: datagrams above it are rejected");
        for (int second = 0; second < LimitNotices.QUIET_TICKS; second++) {
            passing(policy, FIRST, 5, 1);
            policy.tick(lines::add);
            nowNs += SECOND_NS;
        }
        assertThat(lines)
                .hasSize(2)
                .last()
                .isEqualTo("source 192.0.2.1 is within its limit again; 450 of its datagrams were rejected");
        passing(policy, FIRST, 100, 1);
        policy.tick(lines::add);
        assertThat(lines).hasSize(3);
    }

    @Test
    void noticesAreLimitedToTenLinesPerMinute() {
        Policy policy = Policy.of(new PolicySettings(null, null, new RateLimit(1, 500), 24, 64));
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            passing(policy, new Network(false, (long) i << 40, 0, 32), 2, 1);
        }
        for (int second = 0; second < 60; second++) {
            policy.tick(lines::add);
        }
        assertThat(lines)
                .hasSize(LimitNotices.LINES_PER_MINUTE)
                .allMatch(it -> it.startsWith("network 0.0.")
                        && it.contains("/24 is above its limit of 1 datagrams/s and 500 bytes/s"));
        policy.tick(lines::add);
        assertThat(lines).last().asString().startsWith("190 more notices");
    }

    @Test
    void contradictorySettingsAreRejected() {
        PolicySettings.Builder builder = PolicySettings.builder();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.deny("10.1.2.3/8"))
                .withMessage("deny '10.1.2.3/8': bits are set behind the first 8: the network is 10.0.0.0/8");
        builder.allow("10.0.0.0/8").deny("10.0.0.0/8");
        assertThatIllegalArgumentException()
                .isThrownBy(builder::build)
                .withMessage("deny: allow and deny accept a network once, not 10.0.0.0/8 in both");
    }

    @Test
    void invalidSettingsAreRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RateLimit(0, 0))
                .withMessageContaining("a rate limit accepts");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PolicySettings(null, null, null, 33, 64))
                .withMessage("ipv4Bits accepts a whole number from 1 to 32, not 33");
    }

    private static Policy perSource(RateLimit limit) {
        return Policy.of(new PolicySettings(null, limit, null, 24, 64));
    }

    private int passing(Policy policy, Network source, int datagrams, int bytes) {
        int passed = 0;
        for (int i = 0; i < datagrams; i++) {
            passed += ask(policy, source, bytes) == Verdict.PASS ? 1 : 0;
        }
        return passed;
    }

    private Verdict ask(Policy policy, Network source, int bytes) {
        return policy.verdict(source.ipv6(), source.high(), source.low(), bytes, nowNs);
    }
}
