package io.millrace.collector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.internal.agent.CpuAffinity;
import java.util.BitSet;
import java.util.List;
import net.openhft.affinity.Affinity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PinningTest {
    /** A CPU that this process may run on. */
    private static final int PROCESSOR = Affinity.getAffinity().nextSetBit(0);

    @Test
    void listHasNumbersAndRanges() {
        assertThat(Pinning.parse("1,3").cpus()).containsExactly(1, 3);
        assertThat(Pinning.parse("0-2, 8").cpus()).containsExactly(0, 1, 2, 8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "1,", "3-1", "-1", "1-2-3", "99999"})
    void invalidListIsReported(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Pinning.parse(text))
                .withMessageContaining("not '" + text + "'");
    }

    @Test
    void missingCpuIsReported() {
        assertThat(Pinning.NONE.problem()).isNull();
        assertThat(Pinning.parse("" + PROCESSOR).problem()).isNull();
        assertThat(Pinning.parse("4000").problem()).contains("4000");
    }

    @Test
    void threadIsBoundBeforeItsTaskRuns() throws InterruptedException {
        BitSet[] seen = new BitSet[2];
        Pinning pinning = new Pinning(List.of(PROCESSOR));
        for (int i = 0; i < seen.length; i++) {
            int number = i;
            Thread thread = new Thread(CpuAffinity.bind(pinning, number, () -> seen[number] = Affinity.getAffinity()));
            thread.start();
            thread.join();
        }
        assertThat(seen).allSatisfy(cpus -> assertThat(cpus.stream()).containsExactly(PROCESSOR));
    }
}
