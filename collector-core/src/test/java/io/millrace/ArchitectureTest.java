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
import io.millrace.structure.SourceLength;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
    private static final String JACKSON = "com.fasterxml.jackson.core..";
    private static final String JNA = "com.sun.jna..";
    private static final String HDR_HISTOGRAM = "org.HdrHistogram..";
    private static final String MICROMETER = "io.micrometer..";
    private static final String RE2J = "com.google.re2j..";
    private static final String SLF4J = "org.slf4j..";
    private static final List<String> EVERYWHERE =
            List.of("java..", "org.jspecify.annotations..", "io.millrace.setting");

    /** Packages that are not below {@code io.millrace.internal}. */
    private static final Set<String> OUTSIDE = Set.of("collector", "setting");

    private static final int MAX_CLASSES = 22;

    /** What each package may use in addition to itself and {@link #EVERYWHERE}. A package that is not here may not exist. */
    private static final Map<String, List<String>> MAY_USE = Map.ofEntries(
            entry("counters", own("linux"), HDR_HISTOGRAM),
            entry("setting"),
            entry("record"),
            entry("linux", NETTY, JNA, SLF4J),
            entry("transport.framing", own("record")),
            entry("transport.proxy", NETTY),
            entry("transport.relp", own("transport.framing"), own("record"), NETTY),
            entry(
                    "tls",
                    own("record"),
                    own("agent"),
                    own("counters"),
                    own("file"),
                    NETTY,
                    SLF4J,
                    "javax.net.ssl..",
                    "javax.naming..",
                    "javax.security.auth.x500.."),
            entry("agent", own("counters"), own("linux"), AFFINITY, SLF4J),
            entry("ring", own("record"), own("counters"), JCTOOLS),
            entry("policy", own("record")),
            entry("handoff", own("agent"), own("linux"), own("record"), NETTY, SLF4J),
            entry(
                    "transport",
                    own("handoff"),
                    own("linux"),
                    own("record"),
                    own("agent"),
                    own("counters"),
                    NETTY,
                    SLF4J),
            entry(
                    "transport.stream",
                    own("transport"),
                    own("handoff"),
                    own("tls"),
                    own("transport.framing"),
                    own("transport.relp"),
                    own("ring"),
                    own("transport.proxy"),
                    own("policy"),
                    own("linux"),
                    own("record"),
                    own("agent"),
                    own("counters"),
                    NETTY,
                    SLF4J),
            entry(
                    "receive",
                    own("gelf"),
                    own("tls"),
                    own("transport"),
                    own("transport.stream"),
                    own("handoff"),
                    own("policy"),
                    own("ring"),
                    own("record"),
                    own("agent"),
                    own("counters"),
                    NETTY,
                    SLF4J),
            entry("journal", own("linux"), own("counters"), CHRONICLE, JACKSON, SLF4J),
            entry("journal.file", own("journal"), own("linux"), own("record"), CHRONICLE, SLF4J),
            entry("journal.read", own("journal"), own("journal.file"), own("record")),
            entry(
                    "journal.recovery",
                    own("journal"),
                    own("journal.file"),
                    own("journal.read"),
                    own("record"),
                    own("counters"),
                    SLF4J),
            entry(
                    "journal.write",
                    own("journal"),
                    own("journal.file"),
                    own("journal.read"),
                    own("journal.recovery"),
                    own("ring"),
                    own("record"),
                    own("linux"),
                    own("agent"),
                    own("counters"),
                    CHRONICLE,
                    SLF4J),
            entry("file"),
            entry("fields"),
            entry("gelf", own("record")),
            entry("charset"),
            entry("parse", own("fields"), own("parse.time")),
            entry("parse.time"),
            entry("format", own("charset"), own("fields"), own("gelf"), own("parse"), own("record")),
            entry("format.template", own("fields"), own("format"), own("parse")),
            entry(
                    "filter",
                    own("charset"),
                    own("fields"),
                    own("file"),
                    own("format"),
                    own("parse"),
                    own("policy"),
                    own("record"),
                    RE2J,
                    SLF4J),
            entry(
                    "edit",
                    own("charset"),
                    own("fields"),
                    own("filter"),
                    own("format"),
                    own("format.template"),
                    own("parse"),
                    RE2J,
                    "javax.crypto.."),
            entry("reduce", own("format"), own("parse"), own("record")),
            entry(
                    "deliver",
                    own("journal"),
                    own("journal.read"),
                    own("journal.recovery"),
                    own("parse"),
                    own("format"),
                    own("gelf"),
                    own("edit"),
                    own("filter"),
                    own("reduce"),
                    own("record"),
                    own("agent"),
                    own("counters"),
                    SLF4J),
            entry(
                    "sources",
                    own("journal"),
                    own("journal.read"),
                    own("parse"),
                    own("record"),
                    own("agent"),
                    own("counters"),
                    SLF4J),
            entry("metrics", own("counters"), own("deliver"), own("sources"), MICROMETER),
            entry("collector", "io.millrace..", SLF4J));

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.millrace");

    private static String own(String name) {
        return OUTSIDE.contains(name) ? "io.millrace." + name : "io.millrace.internal." + name;
    }

    private static Map.Entry<String, List<String>> entry(String name, String... uses) {
        return Map.entry(name, List.of(uses));
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
                .allSatisfy(name ->
                        assertThat(MAY_USE).containsKey(name.replaceFirst("io\\.millrace\\.(internal\\.)?", "")));
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
