package io.millrace.output;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.millrace.structure.SourceLength;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
    private static final int MAX_CLASSES = 22;

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
    void packagesFormNoCycle() {
        slices().matching("io.millrace.(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void noPackageHasMoreThanTwentyTwoClasses() {
        assertThat(CLASSES.stream()
                        .filter(each ->
                                !each.isNestedClass() && !each.getSimpleName().equals("package-info"))
                        .collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting())))
                .allSatisfy((name, count) -> assertThat(count).as(name).isLessThanOrEqualTo(MAX_CLASSES));
    }

    @Test
    void noClassAndNoMethodIsTooLong() throws IOException {
        assertThat(SourceLength.tooLong(Path.of("src/main/java"))).isEmpty();
    }
}
