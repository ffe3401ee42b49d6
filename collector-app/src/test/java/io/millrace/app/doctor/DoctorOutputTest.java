package io.millrace.app.doctor;

import static io.millrace.app.doctor.DoctorTest.examine;
import static io.millrace.app.doctor.DoctorTest.settings;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.app.doctor.host.Host;
import io.millrace.app.doctor.host.LocalHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is printed of findings: text and script. The document is the table of the code. */
class DoctorOutputTest {
    private static final Path DOCUMENT = Path.of("..", "docs", "operate", "doctor.md");
    private static final String BEGIN = "<!-- findings: made from the code -->\n";
    private static final String END = "<!-- end of findings -->\n";

    @TempDir
    private Path directory;

    private static List<Finding> findings(String... trees) {
        return examine(settings(500_000L, DoctorTest.builder(), ":::5514"), trees);
    }

    @Test
    void textListsTheWorstFindingsFirst() {
        DoctorSettings settings = settings(500_000L, DoctorTest.builder(), ":::5514");
        String text = DoctorText.of(examine(settings, "nic", "good"), settings);
        assertThat(text)
                .startsWith("LOSES: will lose datagrams, or did\n  nic-drops (ens1f0): rx_missed_errors 918,233")
                .containsSubsequence(
                        "LOSES: ", "RISK: ", "    now      sudo ethtool -G ens1f0 rx 4096\n", "NOTE: ", "OK: ")
                .contains("    lasting  echo 'ACTION==\"add|move\", SUBSYSTEM==\"net\", KERNEL==\"ens1f0\","
                        + " RUN+=\"/usr/sbin/ethtool -G ens1f0 rx 4096\"' | sudo tee -a"
                        + " /etc/udev/rules.d/90-millrace.rules\n")
                .endsWith("Looked at for 500,000 per second.\n");
        assertThat(text.substring(text.indexOf("OK: "))).contains("conntrack,", "kernel-version,");
    }

    @ParameterizedTest
    @ValueSource(strings = {"good", "small-buffer", "backlog", "nic", "conntrack", "no-ethtool"})
    void scriptIsValidShell(String tree) throws IOException {
        Path script = Files.writeString(directory.resolve("fix.sh"), DoctorScript.of(findings(tree, "good")));
        Host host = new LocalHost(Duration.ofSeconds(30));
        assertThat(host.run("sh", "-n", script.toString()).problem()).isEmpty();
        Host.Answer checked = host.run("shellcheck", "-s", "sh", script.toString());
        if (checked.missing()) {
            System.out.println("shellcheck is not installed: the script was looked at by sh -n only");
        } else {
            assertThat(checked.problem()).isEmpty();
        }
    }

    @Test
    void scriptAppliesEachRemediationOnceNowAndAtBoot() {
        String script = DoctorScript.of(findings("nic", "good"));
        assertThat(script)
                .containsOnlyOnce("\nethtool -G ens1f0 rx 4096\n")
                .containsOnlyOnce("\nrule 'ACTION==\"add|move\", SUBSYSTEM==\"net\", KERNEL==\"ens1f0\","
                        + " RUN+=\"/usr/sbin/ethtool -N ens1f0 rx-flow-hash udp4 sdfn\"'\n")
                .contains("\nset -eu\n", "echo 2 >/proc/irq/133/smp_affinity_list || ")
                .doesNotContain("sudo ", "\nsetting ");
        assertThat(DoctorScript.of(findings("backlog", "good")))
                .containsOnlyOnce("\nsetting net.core.netdev_max_backlog ")
                .contains("/etc/sysctl.d/90-millrace.conf");
    }

    @Test
    void scriptWithoutRemediationsSucceeds() throws IOException {
        Path script = Files.writeString(directory.resolve("fix.sh"), DoctorScript.of(findings("good")));
        Host.Answer answer = new LocalHost().run("sh", script.toString());
        assertThat(answer.text()).isEqualTo("millrace doctor: nothing to fix\n");
    }

    /** {@code -Dmillrace.docs.write=true} writes the table instead of comparing it. */
    @Test
    void documentMatchesTheDiagnoses() throws IOException {
        String document = Files.readString(DOCUMENT);
        int begin = document.indexOf(BEGIN) + BEGIN.length();
        String made = document.substring(0, begin) + table() + document.substring(document.indexOf(END));
        if (Boolean.getBoolean("millrace.docs.write")) {
            Files.writeString(DOCUMENT, made);
        }
        assertThat(DOCUMENT).content().isEqualTo(made);
    }

    private static String table() {
        return Arrays.stream(Diagnosis.values())
                .map(it -> "| `" + it.id() + "` | " + it.looksAt() + " | " + it.why() + " |\n")
                .collect(Collectors.joining("", "| id | looks at | why |\n|---|---|---|\n", ""));
    }
}
