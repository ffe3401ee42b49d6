package io.millrace.app.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.Test;

/** With the configuration of the service. */
class LogLineTest {
    private static List<String> logged(String message, Object... arguments) throws Exception {
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        PrintStream before = System.err;
        System.setErr(new PrintStream(written, true, UTF_8));
        try {
            LoggerContext context = new LoggerContext();
            context.setMDCAdapter(new LogbackMDCAdapter());
            new LogSetup().configure(context);
            Logger logger = context.getLogger("io.millrace.test");
            logger.warn(message, arguments);
            context.stop();
        } finally {
            System.setErr(before);
        }
        return written.toString(UTF_8).lines().toList();
    }

    @Test
    void wordsOfOtherHostsBeginNoLine() throws Exception {
        assertThat(logged("The server answers {}", "no\n2026-01-01T00:00:00.000Z INFO  [main] forged\u001b[31m"))
                .singleElement()
                .asString()
                .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}(Z|[+-]\\d\\d:\\d\\d) WARN  \\[main] .*")
                .endsWith("The server answers no\\n2026-01-01T00:00:00.000Z INFO  [main] forged\\u001b[31m");
    }

    @Test
    void stackTracesHaveSeveralLinesOfWhichTheirMessagesBeginNone() throws Exception {
        IOException cause = new IOException("no\nforged cause");
        cause.addSuppressed(new IOException("no\rforged too"));
        List<String> lines = logged("It failed", new IllegalStateException("no\nforged", cause));
        assertThat(lines).hasSizeGreaterThan(5).anyMatch(line -> line.startsWith("\tat "));
        assertThat(lines)
                .contains(
                        "java.lang.IllegalStateException: no\\nforged",
                        "Caused by: java.io.IOException: no\\nforged cause")
                .noneMatch(line -> line.startsWith("forged"));
    }

    @Test
    void lineIsBounded() throws Exception {
        assertThat(logged("The server answers {}", "a".repeat(1_000_000)))
                .singleElement()
                .asString()
                .hasSizeBetween(4000, 4200)
                .endsWith(" more characters)");
    }
}
