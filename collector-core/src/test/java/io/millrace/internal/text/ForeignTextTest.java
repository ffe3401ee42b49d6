package io.millrace.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ForeignTextTest {
    @Test
    void textStaysInOneLineThatNoTerminalInterprets() {
        assertThat(ForeignText.shown("500 no\r\n2026-01-01 INFO  forged\u001b[2J\u202e\u0085\u2028\0"))
                .isEqualTo("500 no\\u000d\\n2026-01-01 INFO  forged\\u001b[2J\\u202e\\u0085\\u2028\\u0000");
    }

    @Test
    void plainTextIsTheSameObject() {
        String text = "refused by wüste.example, 漢字 😀";
        assertThat(ForeignText.shown(text)).isSameAs(text);
    }

    @Test
    void longTextIsShortened() {
        assertThat(ForeignText.shown("a".repeat(1_000_000))).isEqualTo("a".repeat(500) + "… (999500 more characters)");
        assertThat(ForeignText.shown("a".repeat(499) + "😀")).isEqualTo("a".repeat(499) + "… (2 more characters)");
    }
}
