package io.millrace.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code millrace parse} as a user runs it. */
@Tag("calm")
@Tag("once")
class ParseIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path directory;

    private Path file(String... lines) throws IOException {
        return Files.write(directory.resolve("log"), List.of(lines));
    }

    private static List<String> parse(String... args) throws InterruptedException {
        List<String> command = new ArrayList<>(List.of("parse"));
        command.addAll(List.of(args));
        try (Forked process = Forked.millrace(List.of(), command.toArray(String[]::new))) {
            assertThat(process.awaitExit(PATIENCE)).as("%s", process.err()).isZero();
            return process.out();
        }
    }

    private static List<String> error(int code, String... args) throws InterruptedException {
        try (Forked process = Forked.millrace(List.of(), args)) {
            assertThat(process.awaitExit(PATIENCE)).isEqualTo(code);
            assertThat(process.out()).isEmpty();
            return process.err();
        }
    }

    @Test
    void formatsMatchDocs() throws IOException, InterruptedException {
        String log = file("<34>1 2003-10-11T22:14:15.003Z fw1 su - ID47 - 'su root' failed")
                .toString();
        JsonNode json = new ObjectMapper().readTree(parse(log).get(0));
        assertThat(json.get("hostname").asText()).isEqualTo("fw1");
        assertThat(json.get("severity").asText()).isEqualTo("crit");
        assertThat(parse(log, "--format", "{timestamp} {hostname}/{appname}[{procid}] {message}"))
                .containsExactly("2003-10-11T22:14:15.003Z fw1/su[-] 'su root' failed");
        assertThat(parse(log, "--format", "rfc5424"))
                .containsExactly("<34>1 2003-10-11T22:14:15.003Z fw1 su - ID47 - 'su root' failed");
        assertThat(parse(log, "--format", "logfmt").get(0)).contains("hostname=fw1 appname=su msgid=ID47");
        assertThat(parse(log, "--where", "severity <= err", "--format", "raw")).hasSize(1);
        assertThat(parse(log, "--where", "hostname == \"fw2\"")).isEmpty();
    }

    @Test
    void explainsWhichPartsMatch() throws IOException, InterruptedException {
        String log = file(
                        "<189>Nov 21 10:00:00 fw2 kernel: action=deny dstport=443",
                        "<187>Nov 21 10:00:00 fw1 kernel: x")
                .toString();
        String where = "severity <= err and (hostname == \"fw1\" or fields.dstport < 1024)";
        assertThat(parse(log, "--explain", "--where", where))
                .containsExactly(
                        "<189>Nov 21 10:00:00 fw2 kernel: action=deny dstport=443",
                        "  no   " + where,
                        "    no   severity <= err                    severity is notice",
                        "    yes  hostname == \"fw1\" or fields.dstport < 1024",
                        "      no   hostname == \"fw1\"                  hostname is \"fw2\"",
                        "      yes  fields.dstport < 1024              fields.dstport is \"443\"",
                        "<187>Nov 21 10:00:00 fw1 kernel: x",
                        "  yes  " + where,
                        "    yes  severity <= err                    severity is err",
                        "    yes  hostname == \"fw1\" or fields.dstport < 1024",
                        "      yes  hostname == \"fw1\"                  hostname is \"fw1\"",
                        "      no   fields.dstport < 1024              fields.dstport is absent");
        assertThat(error(2, "parse", log, "--explain").get(0)).contains("--explain requires a --where");
    }

    @Test
    void filtersByAListFromAFile() throws IOException, InterruptedException {
        String log = file("<13>Nov 21 10:00:00 fw1 a: x", "<13>Nov 21 10:00:00 fw2 a: y")
                .toString();
        Path hosts = Files.writeString(directory.resolve("hosts.txt"), "# hosts\n\nfw2\n");
        String where = "hostname in file(\"" + hosts + "\")";
        assertThat(parse(
                        log,
                        "--format",
                        "{message:json}{#procid}[{procid}]{/procid} {fields.a|none}",
                        "--where",
                        where))
                .containsExactly("\"y\" none");
        Files.delete(hosts);
        assertThat(error(2, "parse", log, "--where", where).get(0))
                .contains("column 18")
                .contains("file does not exist");
    }

    @Test
    void keepsTheOrderOfManyLines() throws IOException, InterruptedException {
        int lines = 200_000;
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < lines; i++) {
            text.append("<13>Nov 21 10:00:00 host app[").append(i).append("]: message\n");
        }
        Path log = Files.writeString(directory.resolve("many"), text);
        Path output = directory.resolve("output");
        Process process = new ProcessBuilder(Forked.command(
                        List.of(),
                        "collector-app/target/millrace.jar",
                        "parse",
                        log.toString(),
                        "--format",
                        "{procid}"))
                .redirectOutput(output.toFile())
                .start();
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        List<String> out = Files.readAllLines(output);
        assertThat(out).hasSize(lines);
        for (int i = 0; i < lines; i++) {
            assertThat(out.get(i)).isEqualTo(Integer.toString(i));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-", "/dev/stdin", "/proc/self/fd/0"})
    void slowStreamIsDeliveredAtOnce(String file) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(Forked.command(
                        List.of(), "collector-app/target/millrace.jar", "parse", file, "--format", "{message}"))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (var out = process.inputReader(UTF_8)) {
            var in = process.outputWriter(UTF_8);
            for (int i = 0; i < 3; i++) {
                in.write("<13>Nov 21 10:00:00 host app: line " + i + "\n");
                in.flush();
                assertThat(out.readLine()).isEqualTo("line " + i);
            }
            in.write("the last without its line feed");
            in.close();
            assertThat(out.readLine()).isEqualTo("the last without its line feed");
            assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void readsNamedPipe() throws IOException, InterruptedException {
        Path pipe = directory.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        try (Forked process = Forked.millrace(List.of(), "parse", pipe.toString(), "--format", "{message}")) {
            try (OutputStream out = Files.newOutputStream(pipe)) {
                out.write("<13>Nov 21 10:00:00 host app: a\n<13>Nov 21 10:00:00 host app: b\n".getBytes(UTF_8));
            }
            assertThat(process.awaitExit(PATIENCE)).as("%s", process.err()).isZero();
            assertThat(process.out()).containsExactly("a", "b");
            assertThat(process.err()).isEmpty();
        }
    }

    @Test
    void escapesForATerminalAndNotForAPipe() throws Exception {
        String log = file("<13>\033[31mred\u202edlo\u2028").toString();
        String json = "\"message\":\"\\u001b[31mred";
        assertThat(parse(log, "--format", "raw")).containsExactly("<13>\033[31mred\u202edlo\u2028");
        assertThat(onTerminal(log, "--format", "raw")).isEqualTo("<13>#033[31mred<U+202E>dlo<U+2028>\n");
        assertThat(onTerminal(log, "--format", "{message}")).doesNotContain("\033", "\u202e", "\u2028");
        assertThat(onTerminal(log)).contains(json + "\\u202edlo\\u2028\"");
        assertThat(parse(log).get(0)).contains(json + "\u202edlo\u2028\"");
    }

    /** What is printed when the launcher has found that standard output is a terminal. */
    private static String onTerminal(String... args) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of("parse"));
        arguments.addAll(List.of(args));
        ProcessBuilder builder = new ProcessBuilder(
                Forked.command(List.of(), "collector-app/target/millrace.jar", arguments.toArray(String[]::new)));
        builder.environment().put("JAVA_TOOL_OPTIONS", "-Dmillrace.stdout.tty=true");
        Process process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
        String out = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        return out;
    }

    @Test
    void statsCountMessageKinds() throws IOException, InterruptedException {
        String log = file("<13>Nov 21 10:00:00 h a: m", "text", "<13>1 - - - - - - x", "")
                .toString();
        Files.write(
                Path.of(log),
                Files.readString(Path.of(log)).replace("text", "t\u00e4xt").getBytes(ISO_8859_1));
        try (Forked process = Forked.millrace(List.of(), "parse", "--stats", "--format", "none", log)) {
            assertThat(process.awaitExit(PATIENCE)).isZero();
            assertThat(process.out()).isEmpty();
            assertThat(process.err().get(0)).startsWith("millrace: 3 messages in ");
            assertThat(String.join("\n", process.err()))
                    .containsPattern(" 1 +33\\.3 % +parse=rfc5424")
                    .containsPattern(" 1 +33\\.3 % +parse=rfc3164")
                    .containsPattern(" 1 +33\\.3 % +parse=raw")
                    .containsPattern(" 2 +66\\.7 % +without a time")
                    .containsPattern(" 1 +33\\.3 % +not all UTF-8");
        }
    }

    @Test
    void unreadableFileDoesNotBlockTheOthers() throws IOException, InterruptedException {
        String log = file("<13>Nov 21 10:00:00 h a: m").toString();
        try (Forked process =
                Forked.millrace(List.of(), "parse", "--stats", "--format", "{message}", log, "/nowhere", "/tmp", log)) {
            assertThat(process.awaitExit(PATIENCE)).isEqualTo(1);
            assertThat(process.out()).containsExactly("m", "m");
            assertThat(process.err())
                    .startsWith("millrace: /nowhere is not there", "millrace: /tmp: Is a directory")
                    .anyMatch(line -> line.startsWith("millrace: 2 messages in "));
        }
    }

    @Test
    void limitCountsPrintedMessages() throws IOException, InterruptedException {
        String log = file("<13>app: a", "", "<11>app: b", "<13>app: c", "<11>app: d", "<11>app: e")
                .toString();
        assertThat(parse(log, log, "--limit", "2", "--where", "severity == err", "--format", "{message}"))
                .containsExactly("b", "d");
        assertThat(parse(log, log, "--limit", "6", "--format", "{message}"))
                .containsExactly("a", "b", "c", "d", "e", "a");
        try (Forked process = Forked.millrace(List.of(), "parse", "--stats", "--format", "none", "--limit", "1", log)) {
            assertThat(process.awaitExit(PATIENCE)).isZero();
            assertThat(process.err().get(0)).startsWith("millrace: 1 message in ");
        }
    }

    @Test
    void writesFieldsOnRequest() throws IOException, InterruptedException {
        String log = file("CEF:0|v|p|1|100|scan|5|src=10.0.0.1 msg=a \\= b", "CEF:0|v|p|1|100|scan|5|src=10.0.0.2")
                .toString();
        ObjectMapper json = new ObjectMapper();
        assertThat(json.readTree(parse(log).get(0)).has("fields")).isFalse();
        List<String> found = parse(log, "--fields", "--where", "fields.src == \"10.0.0.1\"");
        assertThat(found).hasSize(1);
        assertThat(json.readTree(found.get(0)).get("fields").toString())
                .isEqualTo("{\"src\":\"10.0.0.1\",\"msg\":\"a = b\"}");
    }

    @Test
    void wrongUsageIsAnErrorWithARemedy() throws InterruptedException {
        assertThat(error(1, "parse", "/nowhere").get(0)).isEqualTo("millrace: /nowhere is not there");
        assertThat(error(1, "parse", "/tmp")).containsExactly("millrace: /tmp: Is a directory");
        assertThat(error(2, "parse", "--limit", "0").get(0)).contains("--limit accepts a number from 1, not 0");
        assertThat(error(2, "parse", "--format", "xml").get(0))
                .contains("accepts raw")
                .contains("not 'xml'");
        assertThat(error(2, "parse", "--format", "{hots}").get(0))
                .contains("column 1 of the template: there is no field hots");
        assertThat(error(2, "parse", "--where", "severity = err").get(0)).contains("column 10: = means nothing here");
        assertThat(error(2, "parse", "--time-zone", "Mars").get(0)).contains("accepts a time zone such as UTC");
        assertThat(error(2, "read", "--where", "x").get(0))
                .contains("column 1: there is no field x; did you mean fields.x?");
    }
}
