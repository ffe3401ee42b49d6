package io.millrace.output.internal.http.splunk;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.output.http.OutputPage;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The table of {@code docs/outputs/splunk.md} has each error. */
class HecErrorTest {
    @Test
    void pageHasEachError() throws IOException {
        assertThat(OutputPage.rows("splunk"))
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(HecError.values())
                        .map(error -> new OutputPage.Row(
                                error.code(),
                                switch (error.fault()) {
                                    case RECORD -> "dead letter";
                                    case DESTINATION -> "waits";
                                    case INDEX -> "waits, or dead letter";
                                }))
                        .toList());
    }
}
