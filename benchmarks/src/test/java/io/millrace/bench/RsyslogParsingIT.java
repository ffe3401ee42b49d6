package io.millrace.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.FreePort;
import io.millrace.bench.host.Programs;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The corpus as rsyslog understands it and as we do: facility, severity, host, tag, process id and message are the same,
 * or there is a reason.
 */
@Tag("calm")
@Tag("once")
@Tag("full")
class RsyslogParsingIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Path CORPUS = Path.of("../collector-core/src/test/resources/syslog/corpus.txt");
    private static final List<String> FIELDS =
            List.of("facility", "severity", "hostname", "appname", "procid", "message");
    private static final ObjectMapper JSON = new ObjectMapper();

    /** A message, what we say of it, and what rsyslog says. */
    private record Compared(String text, JsonNode ours, JsonNode theirs) {
        String ours(String field) {
            return ours.path(field).asText();
        }

        /** rsyslog has a dash for an absent field, the sender's address for an absent host, and keeps the space before the text. */
        String theirs(String field) {
            String value = theirs.path(field).asText();
            boolean absent = value.equals(field.equals("hostname") ? "127.0.0.1" : "-");
            return absent ? "" : field.equals("message") ? value.stripLeading() : value;
        }

        boolean differs(String field) {
            String own = field.equals("message") ? ours(field).stripLeading() : ours(field);
            return !own.equals(theirs(field));
        }

        List<String> differences() {
            return FIELDS.stream().filter(this::differs).toList();
        }

        boolean is(Pattern pattern) {
            return pattern.matcher(text).find();
        }

        @Override
        public String toString() {
            StringBuilder all = new StringBuilder(text);
            for (String field : differences()) {
                all.append("\n    ")
                        .append(field)
                        .append(": ours '")
                        .append(ours(field))
                        .append("', theirs '");
                all.append(theirs(field)).append("'");
            }
            return all.toString();
        }
    }

    private static final Pattern COUNT = Pattern.compile("^\\d+ <");
    private static final Pattern PLAIN_HEADER = Pattern.compile(
            "^(<\\d+>)?(1 )?([A-Z][a-z]{2} [ \\d]\\d \\d\\d:\\d\\d:\\d\\d|\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)) [^ ]");
    private static final Pattern STRANGE_HOST =
            Pattern.compile("^<\\d+>[A-Z][a-z]{2} [ \\d]\\d \\d\\d:\\d\\d:\\d\\d [^ ]*[^A-Za-z0-9._ -]");
    private static final Pattern YEAR_OR_ZONE =
            Pattern.compile("^<\\d+>[A-Z][a-z]{2} [ \\d]\\d \\d\\d:\\d\\d:\\d\\d (\\d{4}|[A-Z]{3,4}) ");

    /**
     * Why we say something else.
     *
     * @param why in words
     * @param holds of which messages
     */
    private record Reason(String why, Predicate<Compared> holds) {}

    private static final List<Reason> REASONS = List.of(
            new Reason(
                    "rsyslog does not know the vendor, and takes the first word for a tag or a host",
                    c -> c.ours("parse").startsWith("vendor:")),
            new Reason(
                    "JSON, or pairs of key and value: no tag is looked for there, and a cookie (@cee:) is taken off",
                    c -> c.ours().hasNonNull("body")),
            new Reason(
                    "a prefix of AIX names the host, and is no part of the text",
                    c -> c.theirs("message").startsWith("from ")),
            new Reason("an octet count that was left in belongs to the framing, not to the text", c -> c.is(COUNT)),
            new Reason(
                    "the byte order mark says that UTF-8 follows, and is no part of the text (RFC 5424 section 6.4)",
                    c -> c.theirs("message").startsWith("\ufeff")),
            new Reason(
                    "without a time rsyslog takes the first words for host and tag; here they stay in the text",
                    c -> c.ours().path("defaulted").toString().contains("timestamp")),
            new Reason(
                    "rsyslog does not know this form of time, and takes parts of it for host and tag",
                    c -> !c.is(PLAIN_HEADER) || c.is(YEAR_OR_ZONE)),
            new Reason(
                    "a host with other than letters, digits, dots and dashes, such as an IPv6 address",
                    c -> c.is(STRANGE_HOST)),
            new Reason(
                    "one word after the time: rsyslog takes it for the host; here it is the text",
                    c -> c.theirs("message").isEmpty() && c.ours("message").equals(c.theirs("hostname"))),
            new Reason(
                    "structured data that is not well formed stays in the text",
                    c -> c.ours("parse").equals("rfc5424") && c.ours("message").startsWith("[")),
            new Reason(
                    "RFC 5424's dash is no host",
                    c -> c.differences().equals(List.of("hostname"))
                            && c.theirs("hostname").equals("-")),
            new Reason(
                    "without a tag there is no process id: brackets and parentheses are text",
                    c -> c.ours("message").matches("(?s)\\s*[\\[(].*")),
            new Reason(
                    "a tag has a letter; rsyslog takes a number, a date or dashes for one",
                    c -> c.ours("appname").isEmpty() && c.theirs("appname").matches("[^A-Za-z]*")),
            new Reason("last message repeated is no tag", c -> c.ours("message").startsWith("last message repeated ")),
            new Reason(
                    "a tag begins with a letter or a digit",
                    c -> c.ours("appname").isEmpty() && c.theirs("appname").matches("[^A-Za-z0-9].*")),
            new Reason(
                    "a tag holds no equals sign",
                    c -> c.ours("appname").isEmpty() && c.theirs("appname").contains("=")),
            new Reason(
                    "a tag may end with a tab; rsyslog looks for a space or a colon",
                    c -> c.text().contains("\t")));

    @TempDir
    private Path directory;

    @Test
    void parsesTheCorpusLikeRsyslogExceptForKnownReasons() throws Exception {
        String rsyslogd = Programs.find("rsyslogd").map(Path::toString).orElse("");
        Needs.that(!rsyslogd.isEmpty(), "rsyslogd is not installed");
        List<String> messages = Files.readAllLines(CORPUS).stream()
                .filter(line -> !line.startsWith("#"))
                .toList();
        assertThat(messages).hasSizeGreaterThan(300);
        List<JsonNode> ours = ours(messages);
        List<JsonNode> theirs = theirs(rsyslogd, messages);

        Map<String, Integer> found = new LinkedHashMap<>();
        REASONS.forEach(reason -> found.put(reason.why(), 0));
        List<Compared> without = new ArrayList<>();
        int same = 0;
        for (int i = 0; i < messages.size(); i++) {
            Compared one = new Compared(messages.get(i), ours.get(i), theirs.get(i));
            if (one.differences().isEmpty()) {
                same++;
                continue;
            }
            REASONS.stream()
                    .filter(reason -> reason.holds().test(one))
                    .findFirst()
                    .ifPresentOrElse(reason -> found.merge(reason.why(), 1, Integer::sum), () -> without.add(one));
        }
        System.out.printf("%d of %d messages as rsyslog has them; the others:%n", same, messages.size());
        found.forEach((why, count) -> System.out.printf("%4d %s%n", count, why));
        assertThat(without).isEmpty();
        assertThat(found.values()).as("each reason is needed").doesNotContain(0);
        assertThat(same).isGreaterThan(messages.size() * 7 / 10);
    }

    private List<JsonNode> ours(List<String> messages) throws IOException, InterruptedException {
        Path file = Files.write(directory.resolve("messages"), messages);
        try (Forked process = Forked.millrace(List.of(), "parse", file.toString())) {
            assertThat(process.awaitExit(PATIENCE)).isZero();
            return read(process.out());
        }
    }

    private List<JsonNode> theirs(String rsyslogd, List<String> messages) throws Exception {
        int port = FreePort.next();
        Path out = directory.resolve("out");
        Path file =
                Files.writeString(directory.resolve("rsyslog.conf"), String.format(Locale.ROOT, """
                global(workDirectory="%1$s" maxMessageSize="64k" net.enableDNS="off"
                       parser.escapeControlCharactersOnReceive="off" parser.permitSlashInProgramName="on")
                module(load="imudp")
                template(name="json" type="list" option.jsonf="on") {
                  property(outname="facility" name="syslogfacility-text" format="jsonf")
                  property(outname="severity" name="syslogseverity-text" format="jsonf")
                  property(outname="hostname" name="hostname" format="jsonf")
                  property(outname="appname" name="app-name" format="jsonf")
                  property(outname="procid" name="procid" format="jsonf")
                  property(outname="message" name="msg" format="jsonf")
                }
                ruleset(name="r") { action(type="omfile" file="%1$s/out" template="json") }
                input(type="imudp" address="127.0.0.1" port="%2$d" ruleset="r")
                """, directory, port));
        try (Forked process = Forked.start(List.of(
                        rsyslogd,
                        "-n",
                        "-f",
                        file.toString(),
                        "-i",
                        directory.resolve("pid").toString()));
                DatagramSocket socket = new DatagramSocket()) {
            await().atMost(PATIENCE).until(() -> listens(port));
            for (String message : messages) {
                byte[] bytes = message.getBytes(UTF_8);
                socket.send(new DatagramPacket(bytes, bytes.length, InetAddress.getLoopbackAddress(), port));
                Thread.sleep(1); // Its socket has the kernel's default buffer.
            }
            await().atMost(PATIENCE).until(() -> Files.exists(out) && lines(out).size() == messages.size());
            assertThat(process.isAlive()).isTrue();
        }
        return read(lines(out));
    }

    private static boolean listens(int port) throws IOException {
        String local = String.format(Locale.ROOT, ":%04X ", port);
        return Files.readAllLines(Path.of("/proc/net/udp")).stream().anyMatch(line -> line.contains(local));
    }

    /** rsyslog cuts a tag within a character of UTF-8. */
    private static List<String> lines(Path file) throws IOException {
        return new String(Files.readAllBytes(file), UTF_8).lines().toList();
    }

    private static List<JsonNode> read(List<String> lines) throws IOException {
        List<JsonNode> nodes = new ArrayList<>();
        for (String line : lines) {
            nodes.add(JSON.readTree(line));
        }
        return nodes;
    }
}
