package io.millrace.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The language of the documentation: budgets of words, sentences that are riddles, and claims that were wrong. */
class DocsTest {
    private static final Path HOME = Path.of("..").toAbsolutePath().normalize();
    private static final Path DOCS = HOME.resolve("docs");

    private static final Map<String, Integer> BUDGETS = Map.of(
            "README.md", 650,
            "CONTRIBUTING.md", 700,
            "CHANGELOG.md", 1_200,
            "docs/benchmarks/README.md", 450,
            "docs/start/quickstart.md", 500,
            "docs/start/faq.md", 700);

    /** All pages of {@code docs} but the benchmarks, without the tables of reference that are made from code or list each message. */
    private static final int ALL = 32_000;

    private static final Set<String> REFERENCE = Set.of(
            "reference/configuration.md",
            "reference/metrics.md",
            "reference/log-messages.md",
            "operate/doctor.md",
            "operate/drop-reasons.md");

    /** The heads of tables that tests write into pages. */
    private static final Pattern WRITTEN_TABLE =
            Pattern.compile("(?m)^\\| (id \\| metric|builder method \\| accepts) (\\|[^\\n]*\\n)+(\\|[^\\n]*\\n)*");

    private static final Pattern CODE = Pattern.compile("(?ms)^ *```.*?^ *```[^\\n]*$");
    private static final Pattern TARGET = Pattern.compile("]\\([^)]*\\)");
    private static final Pattern WORD = Pattern.compile("\\S*\\w\\S*");

    /** A sentence that begins with a riddle; questions are none. */
    private static final Pattern RIDDLE =
            Pattern.compile("(^|\\n\\n|[.!:|] |- |\\*\\*|# )(What|Who|Whoever)\\b[^.?!|\\n]*[^?.!|\\n]*[.!|\\n]");

    /** Words that other pages contradict, or that a reader stumbled on, in small letters. */
    private static final List<String> WRONG = List.of(
            "on disk before",
            "every message was lost",
            "millrace 1.0.0",
            "our socket",
            "110 to 200 mb",
            "for ever",
            "anew",
            "numbers missing in what",
            "deleted before every output");

    private static final String TAGLINE =
            "Collects syslog from thousands of devices, keeps it while destinations are down, and shows where messages get lost";

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(
                List.of(HOME.resolve("README.md"), HOME.resolve("CONTRIBUTING.md"), HOME.resolve("CHANGELOG.md")));
        try (Stream<Path> walk = Files.walk(DOCS)) {
            walk.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
        }
        return pages;
    }

    private static String prose(Path page) throws IOException {
        return CODE.matcher(Files.readString(page)).replaceAll("");
    }

    private static int words(String prose) {
        return (int)
                WORD.matcher(TARGET.matcher(prose).replaceAll("]")).results().count();
    }

    @Test
    void pagesKeepTheirBudgets() throws IOException {
        List<String> over = new ArrayList<>();
        for (Map.Entry<String, Integer> budget : BUDGETS.entrySet()) {
            int words = words(prose(HOME.resolve(budget.getKey())));
            if (words > budget.getValue()) {
                over.add(budget.getKey() + ": " + words + " words, more than " + budget.getValue());
            }
        }
        assertThat(over).isEmpty();
    }

    @Test
    void documentationKeepsItsBudget() throws IOException {
        int words = 0;
        for (Path page : pages()) {
            String name = page.startsWith(DOCS) ? DOCS.relativize(page).toString() : "";
            if (!name.isEmpty() && !name.startsWith("benchmarks/") && !REFERENCE.contains(name)) {
                words += words(WRITTEN_TABLE.matcher(prose(page)).replaceAll(""));
            }
        }
        assertThat(words).isLessThanOrEqualTo(ALL);
    }

    @ParameterizedTest
    @MethodSource("pages")
    void noSentenceIsARiddle(Path page) throws IOException {
        assertThat(RIDDLE.matcher(prose(page))
                        .results()
                        .map(found -> found.group().strip())
                        .filter(found -> !found.contains("?"))
                        .toList())
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void noClaimIsOneThatWasWrong(Path page) throws IOException {
        String text = Files.readString(page).toLowerCase(Locale.ROOT).replaceAll("\\s+", " ");
        assertThat(WRONG.stream()
                        .filter(each -> Pattern.compile("\\b" + Pattern.quote(each) + "\\b")
                                .matcher(text)
                                .find())
                        .toList())
                .isEmpty();
    }

    /** One sentence introduces the project everywhere. */
    @Test
    void taglineIsTheSameEverywhere() throws IOException {
        for (String file : List.of(
                "README.md",
                "pom.xml",
                "site/mkdocs.yml",
                "collector-app/src/main/java/io/millrace/app/Main.java",
                "collector-app/src/main/dist/share/systemd/millrace.service",
                "collector-app/src/main/deb/maintainer/control")) {
            assertThat(Files.readString(HOME.resolve(file)).replaceAll("\\s+", " "))
                    .as(file)
                    .containsIgnoringCase(TAGLINE);
        }
    }
}
