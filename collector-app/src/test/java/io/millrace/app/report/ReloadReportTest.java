package io.millrace.app.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ReloadReportTest {
    @Test
    void pageHasTheWarningsAndTheLogLineHasNot() {
        ReloadReport report = new ReloadReport(
                List.of("archive"), List.of(), List.of("old"), false, List.of(), false, false, List.of("careful"));
        assertThat(report.text()).isEqualTo("outputs that began: archive; outputs that ended: old");
        assertThat(report.page()).isEqualTo(report.text() + "\nwarning: careful\n");
        assertThat(report.json()).endsWith("\"warnings\":[\"careful\"]}");
    }
}
