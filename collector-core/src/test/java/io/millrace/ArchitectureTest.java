package io.millrace;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.conditions.ArchConditions.onlyDependOnClassesThat;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.millrace.journal.DataDirectory;
import io.millrace.journal.JournalWriter;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Who may import whom: the table of {@code docs/ARCHITECTURE.md}. */
class ArchitectureTest {
    private static final String NETTY = "io.netty..";
    private static final String JCTOOLS = "org.jctools..";
    private static final String CHRONICLE = "net.openhft.(chronicle|lang|posix)..";
    private static final String AFFINITY = "net.openhft.affinity..";
    private static final String JNA = "com.sun.jna..";
    private static final String HDR_HISTOGRAM = "org.HdrHistogram..";
    private static final String MICROMETER = "io.micrometer..";
    private static final String SLF4J = "org.slf4j..";
    private static final List<String> EVERYWHERE = List.of("java..", "org.jspecify.annotations..");

    /** What each package may use, besides itself and {@link #EVERYWHERE}. A package that is not here may not exist. */
    private static final Map<String, List<String>> MAY_USE = Map.ofEntries(
            Map.entry("counters", List.of(HDR_HISTOGRAM)),
            Map.entry("record", List.of()),
            Map.entry("agent", List.of(own("counters"), AFFINITY, JNA, SLF4J)),
            Map.entry("ring", List.of(own("record"), own("counters"), JCTOOLS)),
            Map.entry("policy", List.of(own("record"))),
            Map.entry(
                    "receive",
                    List.of(own("policy"), own("ring"), own("record"), own("agent"), own("counters"), NETTY, SLF4J)),
            Map.entry("journal", List.of(own("ring"), own("record"), own("agent"), own("counters"), CHRONICLE, SLF4J)),
            Map.entry("read", List.of(own("record"), own("journal"))),
            Map.entry("parse", List.of()),
            Map.entry("format", List.of(own("parse"), own("record"))),
            Map.entry("filter", List.of(own("format"), own("parse"), own("record"))),
            Map.entry(
                    "deliver",
                    List.of(
                            own("read"),
                            own("parse"),
                            own("format"),
                            own("filter"),
                            own("record"),
                            own("agent"),
                            own("counters"),
                            own("journal"),
                            SLF4J)),
            Map.entry("sources", List.of(own("read"), own("record"), own("agent"), own("counters"), SLF4J)),
            Map.entry("metrics", List.of(own("counters"), own("deliver"), own("sources"), MICROMETER)),
            Map.entry("collector", List.of("io.millrace..", SLF4J)));

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.millrace");

    private static String own(String name) {
        return "io.millrace." + name + "..";
    }

    @TestFactory
    Stream<DynamicTest> packageUsesOnlyWhatItMay() {
        return MAY_USE.entrySet().stream().map(entry -> {
            String[] allowed = Stream.of(EVERYWHERE, List.of(own(entry.getKey())), entry.getValue())
                    .flatMap(List::stream)
                    .toArray(String[]::new);
            return DynamicTest.dynamicTest(
                    entry.getKey(),
                    () -> classes()
                            .that()
                            .resideInAPackage(own(entry.getKey()))
                            .should(onlyDependOnClassesThat(resideInAnyPackage(allowed)))
                            .check(CLASSES));
        });
    }

    @Test
    void everyPackageIsInTheTable() {
        assertThat(CLASSES.stream().map(JavaClass::getPackageName).collect(Collectors.toSet()))
                .allSatisfy(name -> assertThat(MAY_USE).containsKey(name.replace("io.millrace.", "")));
    }

    @TestFactory
    Stream<DynamicTest> libraryIsImportedInItsOnePackage() {
        return Map.of(
                        NETTY,
                        "receive",
                        JCTOOLS,
                        "ring",
                        CHRONICLE,
                        "journal",
                        MICROMETER,
                        "metrics",
                        AFFINITY,
                        "agent",
                        JNA,
                        "agent",
                        HDR_HISTOGRAM,
                        "counters")
                .entrySet()
                .stream()
                .map(entry -> DynamicTest.dynamicTest(
                        entry.getKey(),
                        () -> noClasses()
                                .that(resideOutsideOfPackages(own(entry.getValue())))
                                .should()
                                .dependOnClassesThat()
                                .resideInAPackage(entry.getKey())
                                .check(CLASSES)));
    }

    @Test
    void readUsesTheReadSideOfTheJournalOnly() {
        noClasses()
                .that()
                .resideInAPackage(own("read"))
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(JournalWriter.class, DataDirectory.class)
                .check(CLASSES);
    }

    @Test
    void nothingImportsTheCollector() {
        noClasses()
                .that(resideOutsideOfPackages(own("collector")))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(own("collector"))
                .check(CLASSES);
    }

    @Test
    void packagesFormNoCycle() {
        slices().matching("io.millrace.(*)..").should().beFreeOfCycles().check(CLASSES);
    }
}
