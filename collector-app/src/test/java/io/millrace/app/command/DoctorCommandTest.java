package io.millrace.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.app.Main;
import io.millrace.app.control.Answer;
import io.millrace.app.control.ControlServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code millrace doctor} on the host of the test: JSON, exit codes, what is refused. */
class DoctorCommandTest {
    @TempDir
    private Path directory;

    /** What a command did. */
    private record Result(int exitCode, String out, String err) {}

    private static Result millrace(String... args) {
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream outBytes = new ByteArrayOutputStream();
        ByteArrayOutputStream errBytes = new ByteArrayOutputStream();
        System.setOut(new PrintStream(outBytes, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(errBytes, true, StandardCharsets.UTF_8));
        try {
            int exitCode = Main.execute(args);
            return new Result(
                    exitCode, outBytes.toString(StandardCharsets.UTF_8), errBytes.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
    }

    @Test
    void jsonHasEveryFieldAndLossesSetTheExitCode() throws IOException {
        Path file = Files.writeString(
                directory.resolve("m.yaml"), "inputs: {a: {listen: '127.0.0.1:5599'}}\nreceive: {receiveBuffer: 8M}\n");
        Result result = millrace(
                "doctor",
                "--config",
                file.toString(),
                "--data",
                directory.toString(),
                "--rate",
                "1.5k",
                "--json",
                "--no-disk-test");
        JsonNode json = new ObjectMapper().readTree(result.out());
        JsonNode summary = json.get("summary");
        assertThat(summary.get("rate").asInt()).isEqualTo(1500);
        assertThat(summary.get("rateAssumed").asBoolean()).isFalse();
        int counted = 0;
        for (String severity : new String[] {"loses", "risk", "note", "unavailable", "ok"}) {
            counted += summary.get(severity).asInt();
        }
        assertThat(counted).isEqualTo(json.get("findings").size()).isPositive();
        for (JsonNode finding : json.get("findings")) {
            assertThat(finding.fieldNames())
                    .toIterable()
                    .containsExactly("id", "severity", "subject", "seen", "source", "why", "now", "lasting", "advice");
        }
        assertThat(json.get("findings")).extracting(it -> it.get("id").asText()).contains("receive-buffer");
        assertThat(result.exitCode()).isEqualTo(summary.get("loses").asInt() > 0 ? 1 : 0);
        assertThat(result.err()).isEmpty();
    }

    @Test
    void badUsageAndInvalidConfigurationExitWithTwo() throws IOException {
        assertThat(millrace("doctor", "--rate", "fast"))
                .matches(it ->
                        it.exitCode() == 2 && it.err().contains("accepts a rate per second such as 5000, 50k or 1.2M"));
        assertThat(millrace("doctor", "--json", "--script"))
                .matches(it -> it.exitCode() == 2 && it.err().contains("choose one"));
        Path file = Files.writeString(directory.resolve("m.yaml"), "receive: {receiveBuffer: 64X}\n");
        assertThat(millrace("doctor", "--config", file.toString()))
                .matches(it -> it.exitCode() == 2 && it.err().contains(":1:26: receive.receiveBuffer accepts a size"));
    }

    /** The doctor beside a service that answers with these settings. */
    private Result doctorBeside(String settings) {
        ControlServer service =
                ControlServer.start(directory, Map.of("config", () -> new Answer(0, settings)), Map.of());
        try {
            return millrace("doctor", "--data", directory.toString(), "--no-disk-test");
        } finally {
            service.close();
        }
    }

    @Test
    void withoutAFileTheSettingsOfTheRunningServiceAreExamined() {
        Result result = doctorBeside("data: elsewhere\ninputs: {a: {listen: '127.0.0.1:5598'}}\n");
        assertThat(result.out()).contains("listen-port (127.0.0.1:5598)");
        assertThat(result.err())
                .isEqualToIgnoringNewLines(
                        "millrace: examined with the settings of the running service on " + directory);
        Result stopped = millrace("doctor", "--data", directory.toString(), "--no-disk-test");
        assertThat(stopped.out()).doesNotContain("listen-port (127.0.0.1:5598)");
        assertThat(stopped.err()).isEmpty();
    }

    @Test
    void settingsOfAServiceThatCannotBeUsedAreNamed() {
        Result result = doctorBeside("inputs: {a: {listen: nowhere}}\n");
        assertThat(result.exitCode()).isLessThan(2);
        assertThat(result.err())
                .contains(
                        "the defaults are examined; name its file with --config", "inputs.a.listen accepts HOST:PORT");
    }
}
