package io.millrace.app.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.collector.Counter;
import io.millrace.collector.DropReason;
import io.millrace.collector.HostCounters;
import io.millrace.collector.JournalStatus;
import io.millrace.collector.Ledger;
import io.millrace.internal.counters.CounterFile;
import io.millrace.internal.counters.DropReasonRow;
import io.millrace.internal.counters.LedgerAccounting;
import io.millrace.internal.metrics.CollectorMeters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A constant is all that a new reason for loss needs: the test adds one to the source of {@link DropReason}, and a JVM uses that. */
class AddedDropReasonTest {
    private static final Path SOURCE = Path.of("../collector-core/src/main/java/io/millrace/collector/DropReason.java");

    private static final String CONSTANT = """
                /** A reason of a test. */
                TESTED(
                        "tested",
                        Stage.RECEIVER,
                        Counter.ofLoss(21, "tested.datagrams", "Datagrams of a test"),
                        "dropped.tested",
                        "the test",
                        "The test counts it.",
                        "nothing",
                        "[tests](runbook/rejected.md)"),
            """;

    @TempDir
    private Path directory;

    /** Counts losses of the reason, and prints where it appears. */
    static final class Printer {
        private Printer() {}

        public static void main(String[] args) throws IOException {
            DropReason added = DropReason.valueOf("TESTED");
            CounterFile counters = CounterFile.open(Path.of(args[0]), 1, 1);
            LedgerAccounting accounting = LedgerAccounting.open(counters, HostCounters.read());
            counters.shard(0).add(Counter.RECEIVED_DATAGRAMS, 7);
            counters.shard(0).add(added.counter(), 7);
            Ledger ledger = accounting.read();
            System.out.println("in flight " + ledger.inFlight());
            System.out.println(LedgerText.page(ledger, true, null, List.of()));
            System.out.println(LedgerText.closing(ledger));
            System.out.println(Json.ledger(ledger, List.of()));
            SimpleMeterRegistry registry = new SimpleMeterRegistry();
            new CollectorMeters(
                            counters,
                            List.of(),
                            List.of(),
                            0,
                            Path.of("."),
                            () -> new JournalStatus(0, 0, null),
                            List::of,
                            null)
                    .bindTo(registry);
            registry.find("millrace.tested.datagrams")
                    .functionCounters()
                    .forEach(meter -> System.out.println(meter.getId().getName() + " " + meter.count()));
            System.out.println(DropReasonRow.of(added));
        }
    }

    @Test
    void ledgerJsonMetricAndDocumentationHaveIt() throws Exception {
        String source = Files.readString(SOURCE);
        Path changed = Files.createDirectories(directory.resolve("source/io/millrace/collector"))
                .resolve("DropReason.java");
        String anchor = "    /** The memory of a process that was killed.";
        assertThat(source).contains(anchor);
        Files.writeString(changed, source.replace(anchor, CONSTANT + anchor));
        Path classes = Files.createDirectories(directory.resolve("classes"));
        String classPath = System.getProperty("java.class.path");
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(
                                null,
                                null,
                                null,
                                "-proc:none",
                                "-d",
                                classes.toString(),
                                "-cp",
                                classPath,
                                changed.toString()))
                .isZero();
        Process process = new ProcessBuilder(Stream.of(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-cp",
                                classes + ":" + classPath,
                                Printer.class.getName(),
                                directory.resolve("counters").toString())
                        .toList())
                .redirectErrorStream(true)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(printed)
                .contains("in flight 0")
                .containsPattern("\\+ tested +7 +7 +the test")
                .contains(" + tested 7;")
                .contains("\"rateLimited\":0,\"tested\":7}")
                .contains("millrace.tested.datagrams 7.0")
                .contains("| tested | `dropped.tested` | The test counts it. | [tests](runbook/rejected.md) |");
    }
}
