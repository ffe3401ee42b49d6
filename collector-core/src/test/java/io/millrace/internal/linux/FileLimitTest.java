package io.millrace.internal.linux;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FileLimitTest {
    private static final String HEAD =
            "Limit                     Soft Limit           Hard Limit           Units     \n";

    @Test
    void softLimitIsInEffect() {
        assertThat(FileLimit.parse(
                        HEAD + "Max open files            1024                 4096                 files \n"))
                .isEqualTo(1024);
    }

    @Test
    void unlimitedAndUnknownAreNoLimit() {
        assertThat(FileLimit.parse(
                        HEAD + "Max open files            unlimited            unlimited            files \n"))
                .isEqualTo(Long.MAX_VALUE);
        assertThat(FileLimit.parse(HEAD)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void processHasALimit() {
        assertThat(FileLimit.ofSelf()).isPositive();
    }
}
