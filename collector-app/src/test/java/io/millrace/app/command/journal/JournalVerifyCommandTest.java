package io.millrace.app.command.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.app.Main;
import io.millrace.internal.journal.JournalBytes;
import io.millrace.internal.journal.TestJournal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The last line of {@code journal verify}. */
class JournalVerifyCommandTest {
    @TempDir
    private Path data;

    private String verify(int exitCode) {
        PrintStream out = System.out;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        System.setOut(new PrintStream(bytes, true, UTF_8));
        try {
            assertThat(Main.execute("journal", "verify", "--data", data.toString()))
                    .isEqualTo(exitCode);
            return bytes.toString(UTF_8);
        } finally {
            System.setOut(out);
        }
    }

    @Test
    void countsOfADamagedJournalAreOfWhatIsIntact() throws IOException {
        try (TestJournal journal = TestJournal.open(data)) {
            journal.appendNumbered(0, 4, 10);
        }
        assertThat(verify(0)).startsWith("clean: 40 datagrams in 4 batches, ");
        JournalBytes.damage(JournalBytes.batches(data, 0).get(1));
        assertThat(verify(1))
                .contains(
                        "damaged batch",
                        "shard 0: 10 datagrams missing: 10 to 19",
                        "2 problems; intact: 30 datagrams in 3 batches, ");
    }
}
