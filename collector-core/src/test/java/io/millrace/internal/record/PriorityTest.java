package io.millrace.internal.record;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The severity that a PRI part says. */
class PriorityTest {
    @ParameterizedTest
    @CsvSource({
        "<0>kernel, 0",
        "<13>text, 5",
        "<015>text, 7",
        "<191>, 7",
        "<192>text, -1",
        "<1911>text, -1",
        "<>text, -1",
        "<1, -1",
        "<, -1",
        "< 13>text, -1",
        "<-1>text, -1",
        "13>text, -1",
        "text, -1",
        "'', -1",
    })
    void severityOfPriority(String message, int severity) {
        ByteBuffer memory = ByteBuffer.wrap(("x" + message + ">").getBytes(US_ASCII));
        assertThat(Priority.severity(memory, 1, message.length())).isEqualTo(severity);
    }
}
