package io.millrace.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.bench.trial.Load;
import io.millrace.bench.trial.TrialResult;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xml.sax.InputSource;

class ReportTest {
    private static TrialResult trial(String subject, long received, String voidReason) {
        return trial(subject, received, voidReason, Load.of(1000, 1, 125));
    }

    private static TrialResult trial(String subject, long received, String voidReason, Load load) {
        return new TrialResult(
                "loss",
                subject,
                1,
                load,
                1000,
                received,
                0,
                0,
                null,
                1000,
                812.5,
                8.0,
                1024,
                2048L,
                10L,
                0.25,
                1 << 20,
                0.5,
                null,
                null,
                voidReason);
    }

    private static RunData data() {
        return data(trial("nio", 990, null), trial("nio", 0, "the sender said \"no\", twice"));
    }

    private static RunData data(TrialResult... trials) {
        return new RunData(
                "receiver-comparison",
                "quick",
                "2026-11-21T00:00:00Z",
                true,
                Map.of("setting", "a \"value\", with commas"),
                Map.of("kernel", "<6>"),
                List.of(new RunData.SubjectData("nio", "a reference receiver", "java -cp x", null)),
                List.of(trials));
    }

    private static Document document() {
        Document document = Sections.start("A & B", data());
        document.heading("Table").table(List.of("a", "b"), List.of(List.of("x|y", "<1>")));
        List<Chart.Point> points = List.of(new Chart.Point(1000, 0), new Chart.Point(50_000, 12.5));
        document.add(new Chart("Lines <&>", "x", "y", Chart.Kind.LINES, List.of(new Chart.Series("s", points))));
        document.add(new Chart(
                "Bars",
                "",
                "y",
                Chart.Kind.BARS,
                List.of(new Chart.Series("s", points), new Chart.Series("none", List.of()))));
        document.add(new Chart("Empty", "x", "y", Chart.Kind.LINES, List.of()));
        return Sections.end(document, data());
    }

    @Test
    void readsARunAsItWasWritten(@TempDir Path folder) throws IOException {
        new RunFolder(folder).write(data(), document());
        assertThat(RunFolder.read(folder)).isEqualTo(data());
        assertThat(Files.readAllLines(folder.resolve("results.csv")))
                .hasSize(3)
                .last()
                .asString()
                .endsWith("\"the sender said \"\"no\"\", twice\"");
        assertThat(folder.toFile().list())
                .contains("report.md", "report.html", "results.csv", "results.json", "chart-1.svg")
                .allMatch(name -> name.matches("report\\..*|results\\..*|chart-\\d\\.svg"));
    }

    @Test
    void rejectsAFolderWithARun(@TempDir Path folder) throws IOException {
        new RunFolder(folder).write(data(), document());
        assertThatThrownBy(() -> new RunFolder(folder)).hasMessageContaining("already contains a run");
    }

    @Test
    void rejectsAFolderWithoutARun(@TempDir Path folder) {
        assertThatThrownBy(() -> RunFolder.read(folder)).hasMessageContaining("contains no run");
    }

    @Test
    void htmlNeedsNoNetworkAndChartsAreWellFormed() throws Exception {
        String html = Html.of(document());
        assertThat(html).doesNotContain("src=", "href=", "@import", "<script");
        int charts = 0;
        for (int at = html.indexOf("<svg"); at >= 0; at = html.indexOf("<svg", at + 1)) {
            String svg = html.substring(at, html.indexOf("</svg>", at) + 6);
            assertThat(DocumentBuilderFactory.newInstance()
                            .newDocumentBuilder()
                            .parse(new InputSource(new StringReader(svg)))
                            .getDocumentElement()
                            .getTagName())
                    .isEqualTo("svg");
            assertThat(svg).doesNotContain("NaN", "Infinity");
            charts++;
        }
        assertThat(charts).isEqualTo(3);
        assertThat(html).contains("A &amp; B", "&lt;6&gt;", "x|y");
    }

    @Test
    void escapesPipesInMarkdownCells() {
        assertThat(Markdown.of(document())).contains("x\\|y", "# A & B");
    }

    @Test
    void listsInvalidTrialsAndExcludesThemFromResults() {
        assertThat(data().valid("loss")).hasSize(1);
        assertThat(Markdown.of(document())).contains("Invalid trials", "the sender said");
    }

    @Test
    void reportsWhichRatesUsedGso() {
        TrialResult single = trial("nio", 1000, null);
        TrialResult gso = trial("nio", 1000, null, Load.of(300_000, 1, 125));
        assertThat(ending(single)).contains("Every datagram was sent with its own system call.");
        assertThat(ending(gso)).contains("All datagrams were sent with UDP_SEGMENT, 16 datagrams per system call");
        TrialResult unsplit =
                trial("tcpdump", 1000, null, Load.of(300_000, 1, 125).withoutGso());
        assertThat(ending(gso, unsplit)).contains("(except for tcpdump, which would capture unsplit batches)");
        assertThat(ending(single, gso))
                .contains(
                        "Rates above 150,000/s were sent with UDP_SEGMENT",
                        "the socket; lower rates had a system call");
    }

    private static String ending(TrialResult... trials) {
        return Markdown.of(Sections.end(new Document("A"), data(trials)));
    }

    @Test
    void shows100PercentOnlyWithoutLoss() {
        assertThat(Statistics.percentReceived(0)).isEqualTo("100");
        assertThat(Statistics.percentReceived(1e-9)).isEqualTo("99.9999");
        assertThat(Statistics.percentReceived(0.0123)).isEqualTo("98.77");
    }

    @Test
    void formatsMedianAndRange() {
        assertThat(Statistics.medianAndRange(List.of(3.0, 1.0, 2.0), "%.0f")).isEqualTo("2 (1–3)");
        assertThat(Statistics.medianAndRange(List.of(3.0), "%.0f")).isEqualTo("3");
        assertThat(Statistics.medianAndRange(List.of(), "%.0f")).isEqualTo("–");
        assertThat(Statistics.median(List.of(1.0, 2.0))).isEqualTo(1.5);
    }
}
