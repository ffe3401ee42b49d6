package io.millrace.sender;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The rules for packages and sizes. Lengths are those of the formatted sources. */
class ArchitectureTest {
    private static final Path SOURCES = Path.of("src/main/java");
    private static final int MAX_CLASSES_PER_PACKAGE = 22;
    private static final int MAX_CLASS_LINES = 400;
    private static final int MAX_METHOD_LINES = 60;

    private static final Pattern TYPE = Pattern.compile(".*\\b(class|interface|enum|record) \\w+.*");
    private static final Pattern BLOCK_END = Pattern.compile(" +}");

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
    void packagesAreSmall() throws IOException {
        Map<Path, Long> classes =
                sources().stream().collect(Collectors.groupingBy(Path::getParent, TreeMap::new, Collectors.counting()));
        assertThat(classes)
                .isNotEmpty()
                .allSatisfy((folder, count) -> assertThat(count).isLessThanOrEqualTo(MAX_CLASSES_PER_PACKAGE));
    }

    @Test
    void packagesHavePackageInfo() throws IOException {
        assertThat(sources())
                .allSatisfy(file ->
                        assertThat(file.resolveSibling("package-info.java")).exists());
    }

    @Test
    void classesAreShort() throws IOException {
        for (Path file : sources()) {
            assertThat(Files.readAllLines(file)).as("%s", file).hasSizeLessThanOrEqualTo(MAX_CLASS_LINES);
        }
    }

    @Test
    void methodsAreShort() throws IOException {
        List<String> tooLong = new ArrayList<>();
        for (Path file : sources()) {
            List<String> lines = Files.readAllLines(file);
            for (int end = 0; end < lines.size(); end++) {
                if (BLOCK_END.matcher(lines.get(end)).matches()) {
                    int start = blockStart(lines, end);
                    if (end - start + 1 > MAX_METHOD_LINES
                            && !TYPE.matcher(lines.get(start)).matches()) {
                        tooLong.add(file + ":" + (start + 1));
                    }
                }
            }
        }
        assertThat(tooLong).isEmpty();
    }

    /** The first line of a block: the nearest one before its end with the same indentation. */
    private static int blockStart(List<String> lines, int end) {
        int indentation = lines.get(end).indexOf('}');
        int start = end - 1;
        while (lines.get(start).isBlank() || lines.get(start).charAt(indentation) == ' ') {
            start--;
        }
        return start;
    }
}
