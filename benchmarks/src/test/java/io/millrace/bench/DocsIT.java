package io.millrace.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.bench.host.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The pages of the documentation. What stands in a block that begins with {@code ```sh} is run here as it stands, beside a
 * service as {@code millrace run} starts it, and configurations ({@code ```yaml}, {@code ```rsyslog}, {@code ```syslog-ng}) are
 * given to the program they are for; {@code by-hand} after it marks what cannot be, and what other tests run, {@code part} what is
 * no whole configuration.
 */
@Tag("calm")
@Tag("once")
class DocsIT {
    private static final Path HOME = Path.of("..").toAbsolutePath().normalize();
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Set<String> LANGUAGES = Set.of(
            "sh",
            "sh by-hand",
            "yaml",
            "yaml part",
            "rsyslog",
            "syslog-ng",
            "syslog-ng by-hand",
            "json",
            "java",
            "xml",
            "text",
            "syslog",
            "fields");

    private static final int RUNBOOK_WORDS = 400;
    private static final int OUTPUT_WORDS = 400;

    /** A type of output in the reference. */
    private static final Pattern OUTPUT_TYPE = Pattern.compile("(?m)^### `outputs` of type `([a-z0-9]+)`$");

    private static final List<String> RUNBOOK_SECTIONS =
            List.of("symptom", "metric-or-field", "command", "remedy", "how-to-know-that-it-is-over");

    /** What a configuration has read from files. */
    private static final Pattern SECRET = Pattern.compile("\\$\\{file:([^}]+)}");

    @TempDir
    private Path directory;

    private static List<MarkdownPage> pages() throws IOException {
        List<Path> files = new ArrayList<>();
        for (Map.Entry<String, Integer> folder : Map.of(".", 1, "docs", 2, "docs/operate/runbook", 1, "docker", 1)
                .entrySet()) {
            try (Stream<Path> walk = Files.walk(HOME.resolve(folder.getKey()), folder.getValue())) {
                walk.filter(file -> file.toString().endsWith(".md"))
                        .map(Path::normalize)
                        .sorted()
                        .forEach(files::add);
            }
        }
        List<MarkdownPage> pages = new ArrayList<>();
        for (Path file : files) {
            pages.add(MarkdownPage.read(file));
        }
        return pages;
    }

    private static List<Path> pagesToRun() throws IOException {
        return pages().stream()
                .filter(page -> page.blocks().stream().anyMatch(DocsIT::isToRun))
                .map(MarkdownPage::file)
                .toList();
    }

    private static boolean isToRun(MarkdownPage.Block block) {
        return block.info().equals("sh");
    }

    @Test
    void everyBlockHasALanguage() throws IOException {
        List<String> wrong = new ArrayList<>();
        for (MarkdownPage page : pages()) {
            for (MarkdownPage.Block block : page.blocks()) {
                if (!LANGUAGES.contains(block.info())) {
                    wrong.add(HOME.relativize(page.file()) + ":" + block.line() + ": '" + block.info() + "' is none of "
                            + LANGUAGES);
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void everyLinkWorks() throws IOException {
        List<String> broken = new ArrayList<>();
        for (MarkdownPage page : pages()) {
            for (MarkdownPage.Link link : page.links()) {
                String problem = problem(page, link.target());
                if (problem != null) {
                    broken.add(
                            HOME.relativize(page.file()) + ":" + link.line() + ": " + link.target() + ": " + problem);
                }
            }
        }
        assertThat(broken).isEmpty();
    }

    /** Links to other hosts are not followed: a test that needs them would fail with them. */
    private static @Nullable String problem(MarkdownPage page, String target) throws IOException {
        if (target.startsWith("https://") || target.startsWith("http://")) {
            return null;
        }
        int hash = target.indexOf('#');
        String path = hash < 0 ? target : target.substring(0, hash);
        Path file =
                path.isEmpty() ? page.file() : page.file().resolveSibling(path).normalize();
        if (!Files.exists(file)) {
            return "there is no " + file;
        }
        if (hash >= 0 && !MarkdownPage.read(file).anchors().contains(target.substring(hash + 1))) {
            return "there is no such heading in " + HOME.relativize(file);
        }
        return null;
    }

    @Test
    void everyPageOfTheRunbookIsShortAndMadeTheSameWay() throws IOException {
        Path runbook = HOME.resolve("docs/operate/runbook");
        List<String> wrong = new ArrayList<>();
        for (MarkdownPage page : pages()) {
            if (!page.file().startsWith(runbook)) {
                continue;
            }
            int words = Files.readString(page.file()).strip().split("\\s+").length;
            if (words > RUNBOOK_WORDS) {
                wrong.add(page.file() + ": " + words + " words, more than " + RUNBOOK_WORDS);
            }
            List<String> sections = page.anchors().stream().skip(1).toList();
            if (!page.file().endsWith("README.md") && !sections.equals(RUNBOOK_SECTIONS)) {
                wrong.add(page.file() + ": its sections are " + sections + ", not " + RUNBOOK_SECTIONS);
            }
        }
        assertThat(wrong).isEmpty();
    }

    /** A type of output has a page and a row of the table, which links to it. */
    @Test
    void everyOutputHasAShortPage() throws IOException {
        Path outputs = HOME.resolve("docs/outputs");
        String table = Files.readString(outputs.resolve("README.md"));
        String reference = Files.readString(HOME.resolve("docs/reference/configuration.md"));
        List<String> types = OUTPUT_TYPE
                .matcher(reference)
                .results()
                .map(each -> each.group(1))
                .toList();
        assertThat(types).contains("file", "kafka", "http");
        for (String type : types) {
            assertThat(outputs.resolve(type + ".md")).exists();
            assertThat(table).contains("[`" + type + "`](" + type + ".md)");
        }
        for (MarkdownPage page : pages()) {
            if (page.file().startsWith(outputs)) {
                assertThat(Files.readString(page.file()).strip().split("\\s+"))
                        .as("words of %s", page.file())
                        .hasSizeLessThanOrEqualTo(OUTPUT_WORDS);
            }
        }
    }

    @Test
    @Tag("full")
    void everyConfigurationIsValid() throws Exception {
        List<String> refused = new ArrayList<>();
        for (MarkdownPage page : pages()) {
            for (MarkdownPage.Block block : page.blocks()) {
                List<String> command = check(block);
                if (command.isEmpty()) {
                    continue;
                }
                try (Forked process = Forked.start(command)) {
                    if (process.awaitExit(LIMIT) != 0) {
                        refused.add(HOME.relativize(page.file()) + ":" + block.line() + ": " + process.err());
                    }
                }
            }
        }
        assertThat(refused).isEmpty();
    }

    /** The command that reads a block as its configuration, without starting anything; empty if it is none. */
    private List<String> check(MarkdownPage.Block block) throws IOException {
        Path file = directory.resolve("configuration");
        return switch (block.info()) {
            case "yaml" -> {
                Files.writeString(file, withSecrets(block.text()));
                yield Forked.command(
                        List.of(),
                        "collector-app/target/millrace.jar",
                        "config",
                        "check",
                        "--no-files",
                        "--config",
                        file.toString());
            }
            case "rsyslog" -> {
                Files.writeString(file, withFiles(block.text()));
                yield peer("rsyslogd", "-N1", "-f", file.toString());
            }
            case "syslog-ng" -> {
                Files.writeString(file, "@version: current\n" + withFiles(block.text()));
                yield peer("syslog-ng", "--syntax-only", "-f", file.toString());
            }
            default -> List.of();
        };
    }

    /** The same with files that are there: both programs look for them. */
    private String withFiles(String text) throws IOException {
        for (String name : List.of("clients-ca.pem", "server.pem", "server.key")) {
            Files.writeString(directory.resolve(name), "");
        }
        return text.replace("/etc/millrace/", directory + "/");
    }

    private static List<String> peer(String program, String... options) {
        Optional<Path> file = Programs.find(program);
        if (file.isEmpty()) {
            System.err.println("skipped: a configuration of the documentation: " + program + " is not installed");
            return List.of();
        }
        return Stream.concat(Stream.of(file.get().toString()), Stream.of(options))
                .toList();
    }

    /** With files that are there for those that it has read. */
    private String withSecrets(String configuration) throws IOException {
        Path secret = Files.writeString(directory.resolve("secret"), "secret\n");
        return SECRET.matcher(configuration).replaceAll(Matcher.quoteReplacement("${file:" + secret + "}"));
    }

    @ParameterizedTest
    @MethodSource("pagesToRun")
    void everyCommandWorksAsItStands(Path file) throws Exception {
        Needs.root("make a network in which the ports of the documentation are free");
        Needs.program("bash");
        Needs.program("logger");
        Path bin = Files.createDirectory(directory.resolve("bin"));
        Files.createSymbolicLink(bin.resolve("millrace"), HOME.resolve("millrace"));
        Files.createSymbolicLink(directory.resolve("millrace"), HOME.resolve("millrace"));
        try (NetworkNamespace namespace = NetworkNamespace.create();
                Service service = Service.start(
                        namespace.prefix(),
                        directory.resolve("data"),
                        "--listen",
                        "[::]:5514",
                        "--admin",
                        "127.0.0.1:9514")) {
            for (MarkdownPage.Block block : MarkdownPage.read(file).blocks()) {
                if (isToRun(block)) {
                    run(namespace.prefix(), bin, HOME.relativize(file) + ":" + block.line(), block.text());
                }
            }
            service.stop();
        }
    }

    private void run(List<String> prefix, Path bin, String where, String commands)
            throws IOException, InterruptedException {
        Path out = directory.resolve("out");
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of("bash", "-euxo", "pipefail", "-c", commands));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile());
        builder.environment().merge("PATH", bin.toString(), (path, first) -> first + ":" + path);
        Process process = builder.start();
        try {
            assertThat(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .as("%s ends: %s", where, Files.readString(out))
                    .isTrue();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        assertThat(process.exitValue())
                .as("%s: %s", where, Files.readString(out))
                .isZero();
    }
}
