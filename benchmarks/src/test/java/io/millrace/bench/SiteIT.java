package io.millrace.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The site of the documentation, as {@code docs/develop/release.md} says how to build it. A broken link ends the build. */
@Tag("calm")
@Tag("once")
@Tag("full")
class SiteIT {
    private static final Path HOME = Path.of("..").toAbsolutePath().normalize();

    @TempDir
    private Path directory;

    @Test
    void siteIsBuiltWithSearchAndNoBrokenLink() throws Exception {
        Path site = directory.resolve("site");
        try (Forked build = Forked.start(List.of(
                mkdocs(),
                "build",
                "--strict",
                "--config-file",
                HOME.resolve("site/mkdocs.yml").toString(),
                "--site-dir",
                site.toString()))) {
            assertThat(build.awaitExit(Duration.ofMinutes(1)))
                    .as("%s", build.err())
                    .isZero();
        }
        assertThat(site.resolve("operate/runbook/full-disk/index.html")).exists();
        assertThat(site.resolve("project/CONTRIBUTING/index.html")).exists();
        assertThat(Files.readString(site.resolve("search/search_index.json")).contains("\"operate/drop-reasons/\""))
                .isTrue();
    }

    /** Installs what the site is built with, where a user does; the test is skipped where that cannot be had. */
    private static String mkdocs() throws Exception {
        Needs.program("python3");
        Path venv = HOME.resolve("target/venv");
        try (Forked process = Forked.start(List.of(
                "sh",
                "-c",
                "python3 -m venv " + venv + " && " + venv
                        + "/bin/pip -q --disable-pip-version-check --retries 1 --timeout 5 install --no-compile -r "
                        + HOME.resolve("site/requirements.txt")))) {
            boolean installed = process.awaitExit(Duration.ofMinutes(2)) == 0;
            Needs.that(installed, "MkDocs is not there, and cannot be installed: python3-venv or the index is missing");
        }
        return venv.resolve("bin/mkdocs").toString();
    }
}
