package io.millrace.app.command.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.app.Main;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeadLettersCommandTest {
    @TempDir
    private Path data;

    /** What a command printed, and its exit code. */
    private record Result(int code, List<String> out, List<String> err) {}

    private Result run(String... args) {
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream outBytes = new ByteArrayOutputStream();
        ByteArrayOutputStream errBytes = new ByteArrayOutputStream();
        System.setOut(new PrintStream(outBytes, true, UTF_8));
        System.setErr(new PrintStream(errBytes, true, UTF_8));
        try {
            int code = Main.execute(args);
            return new Result(
                    code,
                    outBytes.toString(UTF_8).lines().toList(),
                    errBytes.toString(UTF_8).lines().toList());
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
    }

    private static String letter(int second, String kind, int sequence, String message) {
        return String.format(
                "{\"time\":\"2026-11-25T10:00:%02dZ\",\"kind\":\"%s\",\"reason\":\"no such topic\",\"journal\":\"0123456789abcdef\","
                        + "\"shard\":0,\"sequence\":%d,\"input\":\"x\",\"payload\":\"%s\"}",
                second, kind, sequence, Base64.getEncoder().encodeToString(message.getBytes(UTF_8)));
    }

    @BeforeEach
    void write() throws IOException {
        Path directory = Files.createDirectories(data.resolve("dead-letters"));
        Files.write(directory.resolve("kafka.ndjson.1"), List.of(letter(1, "name", 7, "<13>first")));
        Files.write(
                directory.resolve("kafka.ndjson"),
                List.of(
                        letter(2, "name", 8, "<13>second"),
                        letter(3, "too-long", 9, "<13>bell\u0007"),
                        "{\"time\":\"20"));
    }

    @Test
    void listCountsByKind() {
        Result result = run("dead-letters", "list", "--data", data.toString());
        assertThat(result.code()).isZero();
        assertThat(result.out())
                .singleElement()
                .asString()
                .matches(
                        "kafka: 3 \\(name 2, too-long 1\\), \\d+ bytes, from 2026-11-25T10:00:01Z to 2026-11-25T10:00:03Z");
        assertThat(result.err()).singleElement().asString().contains("kafka.ndjson, line 3 is no dead letter");
    }

    @Test
    void showPrintsTheOldestFirstAndEscapesMessages() {
        Result result = run("dead-letters", "show", "kafka", "--data", data.toString());
        assertThat(result.out())
                .containsExactly(
                        "2026-11-25T10:00:01Z name 0/7 no such topic: <13>first",
                        "2026-11-25T10:00:02Z name 0/8 no such topic: <13>second",
                        "2026-11-25T10:00:03Z too-long 0/9 no such topic: <13>bell#007");
    }

    @Test
    void showPrintsTheLastOnesAsTheyAre() {
        Result result = run("dead-letters", "show", "kafka", "-n", "2", "--json", "--data", data.toString());
        assertThat(result.out())
                .containsExactly(letter(2, "name", 8, "<13>second"), letter(3, "too-long", 9, "<13>bell\u0007"));
    }

    @Test
    void unknownOutputIsAnErrorThatNamesTheOthers() {
        Result result = run("dead-letters", "show", "kafak", "--data", data.toString());
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.err())
                .containsExactly("millrace: there are no dead letters of an output 'kafak'; there are those of kafka");
    }

    @Test
    void dropDeletesAllFilesOfTheOutput() {
        assertThat(run("dead-letters", "drop", "kafka", "--data", data.toString())
                        .code())
                .isZero();
        assertThat(data.resolve("dead-letters"))
                .isDirectoryNotContaining(file -> file.toString().contains(".ndjson"));
        assertThat(run("dead-letters", "list", "--data", data.toString()).err())
                .containsExactly("millrace: no dead letters in " + data.resolve("dead-letters"));
    }

    @Test
    void directoryWithoutDataIsAnError() {
        Result result =
                run("dead-letters", "list", "--data", data.resolve("nothing").toString());
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.err()).singleElement().asString().contains("is no data directory");
    }
}
