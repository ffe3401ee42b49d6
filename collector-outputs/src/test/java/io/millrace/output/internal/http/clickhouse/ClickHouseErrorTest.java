package io.millrace.output.internal.http.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.output.http.OutputPage;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The table of {@code docs/outputs/clickhouse.md} has each error. */
class ClickHouseErrorTest {
    @Test
    void pageHasEachError() throws IOException {
        assertThat(OutputPage.rows("clickhouse"))
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(ClickHouseError.values())
                        .map(error -> new OutputPage.Row(error.code(), error.isOfRow() ? "dead letter" : "waits"))
                        .toList());
    }
}
