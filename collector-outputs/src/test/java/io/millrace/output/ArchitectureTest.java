package io.millrace.output;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
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
    /** Internals of the core that outputs use besides the API, because no other program needs them. */
    private static final List<String> EXCEPTIONS = List.of(
            "agent.FailureLog",
            "agent.FatalErrors",
            "charset.Utf8",
            "format.EcsFormat",
            "format.JsonFormat",
            "format.RawFormat",
            "format.Rfc5424Format",
            "format.template.TemplateFormat",
            "parse.ParsedMessage",
            "parse.StructuredData",
            "tls.PemFiles",
            "tls.TlsFileCheck",
            "transport.relp.RelpHeader");

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.millrace.output");

    /** A program sees the settings of an output, and what it gives them. */
    @Test
    void onlySettingsOfAnOutputArePublic() {
        classes()
                .that()
                .resideOutsideOfPackages("io.millrace.output", "io.millrace.output.internal..")
                .and()
                .areTopLevelClasses()
                .and()
                .arePublic()
                .should()
                .haveSimpleNameEndingWith("Settings")
                .check(CLASSES);
    }

    @Test
    void internalsAreUsedByExceptionOnly() {
        assertThat(InternalUses.of(CLASSES, each -> true))
                .filteredOn(name -> !name.startsWith("text."))
                .containsExactlyElementsOf(EXCEPTIONS);
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
