package io.millrace.sources;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TestSeed;
import java.util.List;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class TopSourcesTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long BEGIN = 1_700_000_000 * SECOND;
    private static final int MANY = 1_000_000;

    private final TopSources top = new TopSources(BEGIN);

    private void add(long source, int times) {
        for (int i = 0; i < times; i++) {
            top.add(0, source, SourceAddress.hash(0, source), 1, 100);
        }
    }

    @Test
    void tenTopSourcesAreFoundAmongAMillionInBoundedMemory() {
        Random random = TestSeed.random(TopSourcesTest.class);
        long[] sent = new long[10];
        for (int i = 0; i < MANY; i++) {
            add(1000L + i, 1);
            // Each of the top sources sends a little more than the previous one.
            int heavy = random.nextInt(200);
            if (heavy < 10) {
                add(heavy, 3 + heavy);
                sent[heavy] += 3 + heavy;
            }
        }
        List<SourcesStatus.Top> found = top.top(10, BEGIN + 10 * SECOND);
        assertThat(found.stream().map(it -> it.source().low())).containsExactly(9L, 8L, 7L, 6L, 5L, 4L, 3L, 2L, 1L, 0L);
        double all = MANY + 10 * 5000 * 8;
        assertThat(found).allSatisfy(each -> {
            double truth = sent[(int) each.source().low()] / 10.0;
            assertThat(truth).isBetween(each.perSecond() - each.atMostOver(), each.perSecond());
            assertThat(each.atMostOver()).isLessThan(all / TopSources.COUNTERS / 10);
            assertThat(each.bytesPerSecond()).isLessThanOrEqualTo(truth * 100 + 0.01);
        });
        assertThat(TopSources.bytes()).isLessThan(400_000);
    }

    @Test
    void floodOfSpoofedSourcesHasNoTopSources() {
        for (int i = 0; i < MANY; i++) {
            add(i, 1);
        }
        assertThat(top.top(10, BEGIN + 10 * SECOND)).isEmpty();
    }

    @Test
    void ratesCoverTheLastMinute() {
        add(1, 300);
        assertThat(top.top(10, BEGIN + 10 * SECOND)).singleElement().satisfies(it -> {
            assertThat(it.perSecond()).isCloseTo(30, Offset.offset(0.01));
            assertThat(it.bytesPerSecond()).isCloseTo(3000, Offset.offset(1.0));
            assertThat(it.atMostOver()).isZero();
        });
        top.roll(BEGIN + 30 * SECOND);
        add(2, 450);
        assertThat(top.top(10, BEGIN + 45 * SECOND))
                .extracting(it -> it.source().low() + " " + Math.round(it.perSecond()))
                .containsExactly("2 10", "1 7");
        assertThat(top.top(10, BEGIN + 60 * SECOND))
                .extracting(it -> it.source().low() + " " + Math.round(it.perSecond()))
                .containsExactly("2 15");
        assertThat(top.top(10, BEGIN + 90 * SECOND)).isEmpty();
    }

    @Test
    void clockThatIsSetBackRestartsTheWindows() {
        add(1, 300);
        assertThat(top.top(10, BEGIN - 1000 * SECOND)).isEmpty();
        add(1, 30);
        assertThat(top.top(10, BEGIN - 990 * SECOND))
                .singleElement()
                .satisfies(it -> assertThat(it.perSecond()).isCloseTo(3, Offset.offset(0.01)));
    }
}
