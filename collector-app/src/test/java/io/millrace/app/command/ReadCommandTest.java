package io.millrace.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.app.Main;
import io.millrace.internal.journal.TestJournal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code read} and {@code tail} say beside the messages. */
class ReadCommandTest {
    @TempDir
    private Path data;

    /** Standard error of a command that prints no message. */
    private static String said(String... arguments) {
        return said(0, arguments);
    }

    private static String said(int exitCode, String... arguments) {
        PrintStream err = System.err;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
        try {
            assertThat(Main.execute(arguments)).isEqualTo(exitCode);
        } finally {
            System.setErr(err);
        }
        return said.toString(StandardCharsets.UTF_8);
    }

    @Test
    void tailWithALimitSaysThatItWaitsForNewMessages() throws IOException {
        TestJournal.open(data).close();
        String ended = "2026-11-21T08:00:00Z";
        assertThat(said("tail", "--data", data.toString(), "-n", "5", "--until", ended))
                .startsWith("millrace: waiting for 5 new messages; --last 5 prints the newest instead");
        assertThat(said("read", "-f", "--data", data.toString(), "-n", "1", "--until", ended))
                .startsWith("millrace: waiting for 1 new message; --last 1 prints the newest instead");
        assertThat(said("tail", "--data", data.toString(), "--until", ended)).isEmpty();
        assertThat(said("tail", "--data", data.toString(), "-n", "5", "--from", "begin", "--until", ended))
                .isEmpty();
    }

    @Test
    void saysWhyNoMessageIsPrinted() throws IOException {
        TestJournal.open(data).close();
        assertThat(said("read", "--data", data.toString()))
                .isEqualToIgnoringNewLines("millrace: the journal has no messages");
        assertThat(said("read", "--data", data.toString(), "--last", "3"))
                .isEqualToIgnoringNewLines("millrace: the journal has no messages");
        try (TestJournal journal = TestJournal.open(data)) {
            journal.appendNumbered(0, 3, 1);
        }
        for (String[] none : new String[][] {
            {"--where", "severity <= err"}, {"--grep", "nothing"}, {"--until", "2001-01-01"}, {"--from", "end"}
        }) {
            assertThat(said("read", "--data", data.toString(), none[0], none[1]))
                    .isEqualToIgnoringNewLines("millrace: no message of the journal matches");
        }
    }
}
