package io.millrace.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.app.report.BuildInfo;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a build says of itself, in a clone and outside of one. */
class VersionCommandTest {
    private static final Path SCRIPT = Path.of("..", ".mvn", "build-info");

    @TempDir
    private Path directory;

    /** What commands print: not among the sources, which would differ from the commit by it. */
    @TempDir
    Path output;

    private static BuildInfo noted(String text) throws IOException {
        Properties noted = new Properties();
        noted.load(new StringReader(text));
        return BuildInfo.of(noted);
    }

    /** The build's script, on sources that lie in the temporary directory. */
    private BuildInfo built() throws Exception {
        Path file = directory.resolve("target/build.properties");
        run(SCRIPT.toAbsolutePath().toString(), directory.toString(), file.toString(), "1.2.3", "17.0.1");
        return noted(Files.readString(file));
    }

    private void run(String... command) throws Exception {
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.resolve("out.txt").toFile())
                .start();
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(String.join(" ", command)).isZero();
    }

    private void git(String... arguments) throws Exception {
        String[] command = new String[arguments.length + 5];
        System.arraycopy(new String[] {"git", "-c", "user.name=a", "-c", "user.email=a@b.example"}, 0, command, 0, 5);
        System.arraycopy(arguments, 0, command, 5, arguments.length);
        run(command);
    }

    @Test
    void buildHasVersionAndCommit() {
        BuildInfo build = BuildInfo.read();
        assertThat(build.version()).isNotEqualTo(BuildInfo.UNKNOWN);
        assertThat(build.commit()).matches("[0-9a-f]{40,64}|unknown");
        assertThat(build.java()).isNotEqualTo(BuildInfo.UNKNOWN);
    }

    @Test
    void commitIsUnknownOutsideOfGit() throws Exception {
        BuildInfo build = built();
        assertThat(build).isEqualTo(new BuildInfo("1.2.3", "unknown", null, "17.0.1"));
        assertThat(build.text()).isEqualTo("1.2.3 (commit unknown; built with Java 17.0.1)");
    }

    @Test
    void reportsTheCommitAndLocalChanges() throws Exception {
        Files.writeString(directory.resolve(".gitignore"), "target/\n");
        git("init", "-q");
        git("add", ".gitignore");
        git("commit", "-q", "-m", "first");
        BuildInfo clean = built();
        assertThat(clean.commit()).matches("[0-9a-f]{40,64}");
        assertThat(clean.dirty()).isFalse();
        Files.writeString(directory.resolve("Source.java"), "");
        assertThat(built().dirty()).isTrue();
        assertThat(built().text()).contains(", changed since;");
    }

    @Test
    void ignoresTheCommitOfAnEnclosingRepository() throws Exception {
        git("init", "-q");
        git("commit", "-q", "--allow-empty", "-m", "first");
        Path inner = Files.createDirectory(directory.resolve("inner"));
        Path file = directory.resolve("inner.properties");
        run(SCRIPT.toAbsolutePath().toString(), inner.toString(), file.toString(), "1", "17");
        assertThat(noted(Files.readString(file)).commit()).isEqualTo("unknown");
    }

    @Test
    void jsonHasNullForUnknownValues() throws Exception {
        JsonNode json =
                new ObjectMapper().readTree(VersionCommand.json(noted("version=1.2.3\njava=17.0.1"), "no compiler"));
        assertThat(json.get("version").asText()).isEqualTo("1.2.3");
        assertThat(json.get("commit").isNull()).isTrue();
        assertThat(json.get("dirty").isNull()).isTrue();
        assertThat(json.get("native").asBoolean()).isFalse();
        assertThat(json.get("nativeProblem").asText()).isEqualTo("no compiler");
    }
}
