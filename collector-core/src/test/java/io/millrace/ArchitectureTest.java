package io.millrace;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.conditions.ArchConditions.onlyDependOnClassesThat;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.millrace.collector.Collector;
import io.millrace.collector.CollectorBuilder;
import io.millrace.internal.disk.Disk;
import io.millrace.internal.linux.LibC;
import io.millrace.structure.SourceLength;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.FileReader;
import java.io.FileWriter;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The packages that each package may import, and its libraries. {@code docs/ARCHITECTURE.md} says what they are for. */
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
    private static final String[] JDK_TLS = {"javax.net.ssl..", "javax.naming..", "javax.security.auth.x500.."};
    private static final List<String> EVERYWHERE =
            List.of("java..", "org.jspecify.annotations..", "io.millrace.setting", "io.millrace.internal.text");

    private static final List<String> API = List.of("collector", "journal", "message", "sink", "transport", "setting");

    /** What each package of the API may use besides itself and {@link #EVERYWHERE}. */
    private static final Map<String, Set<String>> API_MAY_USE = Map.of(
            "setting", Set.of(),
            "transport", Set.of(),
            "journal", internal("disk journal journal.read record"),
            "message",
                    union(List.of(
                            internal("charset edit fields filter format format.template gelf parse record"),
                            api("journal"))),
            "sink", union(List.of(internal("deliver disk journal reduce"), api("journal message"))),
            "collector", union(List.of(Set.of("io.millrace..", MICROMETER, SLF4J))));

    /** What each package below {@code io.millrace.internal} may use. A package that is not here may not exist. */
    private static final Map<String, Set<String>> INTERNAL_MAY_USE = Map.ofEntries(
            entry("counters", internal("disk linux"), api("collector"), HDR_HISTOGRAM),
            entry("disk", internal("linux"), Set.of()),
            entry("record", Set.of(), api("journal transport")),
            entry("linux", Set.of(), Set.of(), NETTY, JNA, SLF4J),
            entry("transport.framing", internal("record"), api("collector")),
            entry("transport.proxy", Set.of(), Set.of(), NETTY),
            entry("transport.relp", internal("transport.framing record"), Set.of(), NETTY),
            entry(
                    "tls",
                    internal("record agent counters file"),
                    api("collector"),
                    NETTY,
                    SLF4J,
                    JDK_TLS[0],
                    JDK_TLS[1],
                    JDK_TLS[2]),
            entry("agent", internal("counters linux"), api("collector"), AFFINITY, SLF4J),
            entry("ring", internal("record counters"), Set.of(), JCTOOLS),
            entry("policy", internal("record"), api("collector journal")),
            entry("handoff", internal("agent linux record"), api("collector"), NETTY, SLF4J),
            entry(
                    "transport",
                    internal("handoff disk linux record agent counters"),
                    api("collector transport"),
                    NETTY,
                    SLF4J),
            entry(
                    "transport.stream",
                    internal("transport handoff tls transport.framing transport.relp ring transport.proxy policy linux"
                            + " record agent counters"),
                    api("collector journal transport"),
                    NETTY,
                    SLF4J),
            entry(
                    "receive",
                    internal("gelf tls transport transport.stream handoff policy ring record agent counters"),
                    api("collector journal transport"),
                    NETTY,
                    SLF4J),
            entry("journal", internal("disk linux counters"), api("collector journal"), JACKSON, SLF4J),
            entry("journal.file", internal("disk journal record"), api("collector"), CHRONICLE, SLF4J),
            entry("journal.read", internal("disk journal journal.file record"), api("journal")),
            entry(
                    "journal.recovery",
                    internal("disk journal journal.file journal.read record counters"),
                    api("collector journal"),
                    SLF4J),
            entry(
                    "journal.write",
                    internal(
                            "disk journal journal.file journal.read journal.recovery ring record linux agent counters"),
                    api("collector journal transport"),
                    SLF4J),
            entry("file", Set.of(), Set.of()),
            entry("text", Set.of(), Set.of()),
            entry("fields", Set.of(), Set.of()),
            entry("gelf", internal("record"), api("journal")),
            entry("charset", Set.of(), Set.of()),
            entry("parse", internal("charset fields parse.time"), api("message")),
            entry("parse.time", internal("charset"), Set.of()),
            entry("format", internal("charset fields gelf parse record"), api("journal message")),
            entry("format.template", internal("fields format parse"), api("message")),
            entry(
                    "filter",
                    internal("charset fields file format parse policy record"),
                    api("collector journal message"),
                    RE2J,
                    SLF4J),
            entry(
                    "edit",
                    internal("charset fields filter format format.template parse"),
                    api("message"),
                    RE2J,
                    "javax.crypto.."),
            entry("reduce", internal("format parse record"), api("journal message")),
            entry(
                    "deliver",
                    internal(
                            "disk journal journal.read journal.recovery parse format gelf edit filter reduce record agent"
                                    + " counters"),
                    api("collector journal message sink"),
                    SLF4J),
            entry(
                    "sources",
                    internal("disk journal journal.read parse record agent counters"),
                    api("collector journal message transport"),
                    SLF4J),
            entry("metrics", internal("counters deliver disk sources"), api("collector sink"), MICROMETER));

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.millrace");

    private static final DescribedPredicate<JavaClass> INTERNAL = resideInAnyPackage("io.millrace.internal..");

    private static Set<String> internal(String names) {
        return prefixed("io.millrace.internal.", names);
    }

    private static Set<String> api(String names) {
        return prefixed("io.millrace.", names);
    }

    private static Set<String> prefixed(String prefix, String names) {
        return Arrays.stream(names.split(" ")).map(prefix::concat).collect(Collectors.toSet());
    }

    private static Set<String> union(List<Set<String>> sets) {
        return sets.stream().flatMap(Set::stream).collect(Collectors.toSet());
    }

    private static Map.Entry<String, Set<String>> entry(
            String name, Set<String> internals, Set<String> api, String... libraries) {
        return Map.entry(name, union(List.of(internals, api, Set.of(libraries))));
    }

    @TestFactory
    Stream<DynamicTest> packageUsesOnlyWhatItMay() {
        return Stream.concat(
                API_MAY_USE.entrySet().stream().map(each -> uses("io.millrace." + each.getKey(), each.getValue())),
                INTERNAL_MAY_USE.entrySet().stream()
                        .map(each -> uses("io.millrace.internal." + each.getKey(), each.getValue())));
    }

    private static DynamicTest uses(String name, Set<String> allowed) {
        String[] all = Stream.of(EVERYWHERE, List.of(name), allowed)
                .flatMap(java.util.Collection::stream)
                .toArray(String[]::new);
        return DynamicTest.dynamicTest(
                name,
                () -> classes()
                        .that()
                        .resideInAPackage(name)
                        .should(onlyDependOnClassesThat(resideInAnyPackage(all)))
                        .check(CLASSES));
    }

    @Test
    void everyPackageIsInATable() {
        Set<String> known = new TreeSet<>(api(String.join(" ", API)));
        known.addAll(internal(String.join(" ", INTERNAL_MAY_USE.keySet())));
        assertThat(CLASSES.stream().map(JavaClass::getPackageName).collect(Collectors.toSet()))
                .isEqualTo(known);
    }

    @Test
    void internalsDoNotUseTheCollector() {
        noClasses()
                .that(INTERNAL)
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(Collector.class, CollectorBuilder.class)
                .check(CLASSES);
    }

    /** Who touches files without {@link Disk}, and why that is no file of a data directory. */
    private static final Map<String, String> OTHER_FILES = Map.ofEntries(
            Map.entry("io.millrace.internal.disk.RealDisk", "it is the disk"),
            Map.entry("io.millrace.internal.file.SmallFile", "files that settings name"),
            Map.entry("io.millrace.internal.filter.FileList", "files that settings name"),
            Map.entry("io.millrace.internal.tls.TlsServer", "files that settings name"),
            Map.entry("io.millrace.internal.linux.LibC", "the calls themselves"),
            Map.entry("io.millrace.internal.linux.DirectoryLock", "a lock, which is on no disk"),
            Map.entry("io.millrace.internal.linux.ProcFile", "/proc"),
            Map.entry("io.millrace.internal.linux.ProcNetUdp", "/proc"),
            Map.entry("io.millrace.internal.format.LocalHost", "/proc"),
            Map.entry("io.millrace.internal.handoff.BoundAddress", "/proc"),
            Map.entry("io.millrace.collector.HostCounters", "/proc and /sys"),
            Map.entry("io.millrace.collector.Pinning", "/proc"),
            Map.entry("io.millrace.internal.handoff.DescriptorServer", "the path of a Unix socket"),
            Map.entry("io.millrace.internal.transport.stream.SocketFile", "the path of a Unix socket"));

    @Test
    void onlyTheDiskTouchesFiles() {
        DescribedPredicate<JavaClass> others = DescribedPredicate.describe(
                "touch files of a data directory",
                each -> !OTHER_FILES.containsKey(each.getName().replaceFirst("\\$.*", "")));
        noClasses()
                .that(others)
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(
                        Files.class,
                        FileChannel.class,
                        AsynchronousFileChannel.class,
                        RandomAccessFile.class,
                        FileInputStream.class,
                        FileOutputStream.class,
                        FileReader.class,
                        FileWriter.class)
                .check(CLASSES);
        for (String call : List.of("open", "allocate", "lock", "isLockedByOther")) {
            noClasses()
                    .that(others)
                    .should()
                    .callMethodWhere(target(owner(equivalentTo(LibC.class))).and(target(name(call))))
                    .check(CLASSES);
        }
    }

    @Test
    void internalPackagesFormNoCycle() {
        slices().matching("io.millrace.internal.(**)").should().beFreeOfCycles().check(CLASSES.that(INTERNAL));
    }

    @Test
    void packagesOfTheApiFormNoCycle() {
        slices().matching("io.millrace.(*)")
                .should()
                .beFreeOfCycles()
                .check(CLASSES.that(DescribedPredicate.not(INTERNAL)));
    }

    @Test
    void noMethodIsTooLong() throws IOException {
        assertThat(SourceLength.tooLong(Path.of("src/main/java"))).isEmpty();
    }
}
