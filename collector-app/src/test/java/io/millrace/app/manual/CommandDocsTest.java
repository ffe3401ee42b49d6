package io.millrace.app.manual;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.app.Main;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What shells and {@code man} are given, as they themselves take it. */
class CommandDocsTest {
    @TempDir
    private Path directory;

    @BeforeEach
    void write() throws Exception {
        CommandDocs.main(new String[] {directory.toString(), "1.2.3", "2026-11-21T00:00:00Z", Main.class.getName()});
    }

    private static String unpacked(Path file) throws IOException {
        try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("share/man/man1"))) {
            return files.sorted().toList();
        }
    }

    /** What a program says; the test is skipped where there is no such program. */
    private String said(String... command) throws Exception {
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            System.err.println("skipped: " + command[0] + " is not installed");
            Assumptions.abort(command[0] + " is not installed");
            return "";
        }
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
        return said;
    }

    @Test
    void manualPageOfEachCommandMatchesItsHelp() throws IOException {
        assertThat(pages().stream().map(it -> it.getFileName().toString()))
                .contains("millrace.1.gz", "millrace-run.1.gz", "millrace-journal-stat.1.gz");
        String run = unpacked(directory.resolve("share/man/man1/millrace-run.1.gz"));
        assertThat(run)
                .startsWith(".TH \"MILLRACE\\-RUN\" 1 2026-11-21 \"Millrace 1.2.3\" \"Millrace\"\n")
                .contains(".TP\n\\fB\\-\\-data\\fR \\fIDIR\\fR\nThe data directory,")
                .contains(".SH EXAMPLES\n.nf\n  millrace run ");
    }

    @Test
    void manAcceptsThePages() throws Exception {
        for (Path page : pages()) {
            Path plain = Files.writeString(directory.resolve("page.1"), unpacked(page));
            assertThat(said("mandoc", "-T", "lint", "-W", "warning", plain.toString()))
                    .isEmpty();
        }
    }

    @Test
    void bashCompletes() throws Exception {
        Path script = directory.resolve("share/bash-completion/completions/millrace");
        String words = said(
                "bash",
                "-c",
                "source \"$0\"; COMP_WORDS=(millrace journal st); COMP_CWORD=2; COMP_LINE='millrace journal st'"
                        + "; COMP_POINT=${#COMP_LINE}; _complete_millrace; echo \"${COMPREPLY[@]}\"",
                script.toString());
        assertThat(words.strip()).isEqualTo("stat");
    }

    @Test
    void fishCompletes() throws Exception {
        Path script = directory.resolve("share/fish/vendor_completions.d/millrace.fish");
        List<String> answers = new ArrayList<>();
        for (String line :
                List.of("millrace jou", "millrace journal st", "millrace run --transport n", "millrace run --da")) {
            answers.add(said("fish", "--no-config", "-c", "source " + script + "; complete -C '" + line + "'")
                    .replaceAll("\t[^\n]*", "")
                    .strip());
        }
        assertThat(answers).containsExactly("journal", "stat", "native\nnio", "--data");
    }

    @Test
    void zshAcceptsTheScript() throws Exception {
        Path script = directory.resolve("share/zsh/vendor-completions/_millrace");
        assertThat(said("zsh", "-f", "-n", script.toString())).isEmpty();
        assertThat(Files.readString(script))
                .startsWith("#compdef millrace\n")
                .contains("'--data=[")
                .contains(":(on off)'");
    }

    @Test
    void debianPackageHasTheVersion() throws IOException {
        assertThat(unpacked(directory.resolve("debian/changelog.gz")))
                .startsWith("millrace (1.2.3) unstable;")
                .endsWith("Sat, 21 Nov 2026 00:00:00 +0000\n");
    }
}
