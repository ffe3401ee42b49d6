package io.millrace.app.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.app.admin.ServiceStatus;
import io.millrace.app.config.Config;
import io.millrace.app.config.ConfigLoader;
import io.millrace.app.config.OutputTypes;
import io.millrace.app.config.Overrides;
import io.millrace.app.fault.Fault;
import io.millrace.collector.Collector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Silent sources are in the header, and a reload mutes or denies them. */
class SilentSourcesTest {
    private static final Duration SOON = Duration.ofSeconds(20);

    @TempDir
    private Path directory;

    private Config config(String... lines) {
        String all = "data: " + directory.resolve("data") + "\ninputs: {a: {listen: '127.0.0.1:0'}}\n"
                + String.join("\n", lines) + "\n";
        return new ConfigLoader(OutputTypes.ALL, Map.of()).load("test", all, new Overrides());
    }

    private static String header(ServiceStatus status) {
        return status.text().lines().findFirst().orElseThrow();
    }

    @Test
    void headerCountsSilentSourcesAndAReloadMutesThem() throws IOException {
        String since = Instant.now().minusSeconds(600) + " 1000 silent";
        Path data = Files.createDirectories(directory.resolve("data"));
        Files.writeString(
                data.resolve("sources"),
                "192.0.2.1 " + since + "\n192.0.2.2 " + since + "\n198.51.100.1 " + since + " host=fw1\n203.0.113.1 "
                        + since + "\n");
        Config started = config();
        Config[] next = {started};
        try (Collector collector = ServiceSettings.collector(started).start();
                ServiceStatus status = new ServiceStatus(collector, "1.2.3", Duration.ofMinutes(5))) {
            Reload reload = new Reload(() -> next[0], collector, started);
            await().atMost(SOON)
                    .untilAsserted(() ->
                            assertThat(header(status)).startsWith("millrace 1.2.3, ready, 4 sources are silent, up "));
            assertThat(status.health()).contains("ready, 4 sources are silent");
            assertThat(status.json()).contains("\"silentCount\":4", "\"level\":\"notice\"");
            assertThat(Fault.worst(status.faults())).isEqualTo(Fault.Level.NOTICE);

            next[0] = config(
                    "sources: {groups: {lab: {networks: [192.0.2.0/24], silentAfter: never}, fw: {hosts: ['FW*'], silentAfter: never}}}");
            assertThat(reload.run().text()).isEqualTo("the sources changed");
            await().atMost(SOON)
                    .untilAsserted(() ->
                            assertThat(header(status)).startsWith("millrace 1.2.3, ready, 1 source is silent, up "));

            next[0] = config("policy: {deny: [203.0.113.0/24, 192.0.2.1]}");
            assertThat(reload.run().text()).isEqualTo("the policy changed; the sources changed");
            // The mute is gone, and what is denied is not silent.
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(header(status)).startsWith("millrace 1.2.3, ready, up "));
            assertThat(reload.run().text()).isEqualTo("nothing to change");
        }
    }
}
