package io.millrace.app;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.millrace.structure.InternalUses;
import io.millrace.structure.SourceLength;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
    /** Packages of the library's internals that are shared: texts for people, what Linux says of the host, passing of sockets. */
    private static final List<String> SHARED = List.of("text.", "linux.", "handoff.");

    /** Internals that the application uses besides the API, because no other program needs them. */
    private static final List<String> EXCEPTIONS = List.of(
            "agent.FailureLog",
            "agent.FatalErrors",
            "agent.Ticks",
            "counters.CounterFile",
            "counters.LedgerAccounting",
            "deliver.PositionCheck",
            "fields.ValuePredicate",
            "file.SmallFile",
            "filter.Regex",
            "format.TerminalFormat",
            "journal.DataDirectory",
            "journal.JournalPaths",
            "journal.PrivateFiles",
            "journal.file.ChronicleFiles",
            "journal.recovery.JournalExport",
            "journal.recovery.JournalGap",
            "journal.recovery.JournalRepair",
            "journal.recovery.JournalScanner",
            "journal.recovery.JournalSummary",
            "tls.TlsFileCheck",
            "tls.TlsServer",
            "transport.BindFailure",
            "transport.Transports");

    private static final List<String> OUTPUT_EXCEPTIONS = List.of(
            "FilePaths",
            "http.HttpAnswer",
            "http.HttpConnection",
            "http.HttpPost",
            "name.ForeignNames",
            "secret.PlainText",
            "secret.Secrets",
            "tls.TlsContext",
            "tls.TlsOptions",
            "tls.TlsSettings");

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.millrace.app");

    @Test
    void internalsAreUsedByExceptionOnly() {
        assertThat(InternalUses.of(CLASSES, each -> true))
                .filteredOn(name -> SHARED.stream().noneMatch(name::startsWith))
                .containsExactlyElementsOf(EXCEPTIONS);
    }

    /** What the application shares with outputs: names, TLS and HTTP of webhooks, secrets. */
    @Test
    void internalsOfOutputsAreUsedByExceptionOnly() {
        assertThat(InternalUses.of(CLASSES, each -> true, "io.millrace.output.internal."))
                .containsExactlyElementsOf(OUTPUT_EXCEPTIONS);
    }

    @Test
    void packagesFormNoCycle() {
        slices().matching("io.millrace.(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void noMethodIsTooLong() throws IOException {
        assertThat(SourceLength.tooLong(Path.of("src/main/java"))).isEmpty();
    }
}
