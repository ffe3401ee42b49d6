package io.millrace.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** The unit for systemd, as systemd itself judges it. */
class SystemdUnitTest {
    private static final Path UNIT = Path.of("src", "main", "dist", "share", "systemd", "millrace.service");

    /** Of 100, most of which are for what a service may do to its host. */
    private static final int MAX_EXPOSURE = 20;

    @Test
    void serviceHasALowExposure() throws Exception {
        Process systemd;
        try {
            systemd = new ProcessBuilder(
                            "systemd-analyze",
                            "security",
                            "--no-pager",
                            "--offline=true",
                            "--threshold=" + MAX_EXPOSURE,
                            UNIT.toString())
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            System.err.println("skipped: systemd-analyze is not installed (Debian: systemd)");
            Assumptions.abort("systemd-analyze is not installed");
            return;
        }
        String said = new String(systemd.getInputStream().readAllBytes(), UTF_8);
        int code = systemd.waitFor();
        Assumptions.assumeFalse(
                said.contains("unrecognized option"), "this systemd-analyze is too old to look at a file");
        assertThat(code).as(said).isZero();
    }

    @Test
    void serviceReloadsOnSighup() throws IOException {
        assertThat(Files.readAllLines(UNIT)).contains("ExecReload=/bin/kill -HUP $MAINPID");
    }
}
