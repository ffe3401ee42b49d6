package io.millrace.sender;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.millrace.structure.SourceLength;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The rules for packages and sizes. Lengths are those of the formatted sources. */
class ArchitectureTest {
    private static final Path SOURCES = Path.of("src/main/java");

    private static List<Path> sources() throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !file.endsWith("package-info.java"))
                    .toList();
        }
    }

    @Test
    void packagesFormNoCycle() {
        slices().matching("io.millrace.sender.(**)")
                .should()
                .beFreeOfCycles()
                .check(new ClassFileImporter()
                        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                        .importPackages("io.millrace.sender"));
    }

    @Test
    void packagesHavePackageInfo() throws IOException {
        assertThat(sources())
                .allSatisfy(file ->
                        assertThat(file.resolveSibling("package-info.java")).exists());
    }

    @Test
    void noMethodIsTooLong() throws IOException {
        assertThat(SourceLength.tooLong(SOURCES)).isEmpty();
    }
}
