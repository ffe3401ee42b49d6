package io.millrace.app.admin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The alert rules and the dashboard in {@code docker/} are about metrics there are. Tests run in the folder of their module. */
class MonitoringFilesTest {
    private static final Path ALERTS = Path.of("..", "docker", "prometheus", "alerts.yaml");
    private static final Path DASHBOARD = Path.of("..", "docker", "grafana", "millrace.json");
    private static final Path REFERENCE = Path.of("..", "docs", "reference", "metrics.md");
    private static final Pattern METRIC = Pattern.compile("\\bmillrace_[a-z_]+\\b");

    private static Set<String> metrics(Path file) throws IOException {
        Set<String> names = new TreeSet<>();
        METRIC.matcher(Files.readString(file)).results().forEach(it -> names.add(it.group()));
        return names;
    }

    @Test
    void rulesAndDashboardUseExistingMetrics() throws IOException {
        Set<String> known = metrics(REFERENCE);
        assertThat(metrics(ALERTS)).isNotEmpty().isSubsetOf(known);
        assertThat(metrics(DASHBOARD)).isNotEmpty().isSubsetOf(known);
    }

    @Test
    void rulesAndDashboardAreWellFormed() throws IOException {
        Object rules = new Load(LoadSettings.builder().build()).loadFromString(Files.readString(ALERTS));
        assertThat(rules).hasFieldOrProperty("groups");
        JsonNode dashboard = new ObjectMapper().readTree(Files.readString(DASHBOARD));
        assertThat(dashboard.get("panels"))
                .isNotEmpty()
                .allSatisfy(panel -> assertThat(panel.get("targets")).isNotEmpty());
    }

    @Test
    void promtoolAcceptsTheRules() throws Exception {
        Process promtool;
        try {
            promtool = new ProcessBuilder("promtool", "check", "rules", ALERTS.toString())
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            System.err.println("skipped: promtool is not installed (Debian: prometheus)");
            Assumptions.abort("promtool is not installed");
            return;
        }
        String said = new String(promtool.getInputStream().readAllBytes(), UTF_8);
        assertThat(promtool.waitFor()).as(said).isZero();
    }
}
