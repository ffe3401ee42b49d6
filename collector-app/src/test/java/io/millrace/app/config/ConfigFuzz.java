package io.millrace.app.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.app.RunSettingsAccess;
import io.millrace.fuzz.FuzzTarget;
import io.millrace.output.internal.secret.Secrets;
import io.millrace.setting.Entry;
import io.millrace.setting.Section;
import io.millrace.setting.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Bytes are a configuration file. What is wrong with it is said with its place, a line each; what is right is shown, and what is
 * shown is read again and means the same.
 */
public final class ConfigFuzz extends FuzzTarget {
    /** A name with a port would be looked up. */
    private static final Pattern NAME_AND_PORT =
            Pattern.compile("[^\\s'\":,\\[\\]{}]*[^\\s0-9.'\":,\\[\\]{}][^\\s'\":,\\[\\]{}]*\\]?:\\d");

    private static final Pattern DEFAULT = Pattern.compile("(?m)  # default.*$");
    private static final String HIDDEN = "***";

    private static final Map<String, String> VARIABLES = Map.of("WHERE", "/var", "NOTHING", "", "TEXT", "a: [b");

    private ConfigLoader loader = new ConfigLoader(OutputTypes.ALL, VARIABLES, new Secrets());
    private Path file = Path.of("");

    /** Made by name. */
    public ConfigFuzz() {
        super("config");
    }

    @Override
    protected int longest() {
        return 2048;
    }

    @Override
    protected void take(byte[] bytes) throws IOException {
        if (NAME_AND_PORT.matcher(new String(bytes, UTF_8)).find()) {
            return;
        }
        if (file.toString().isEmpty()) {
            file = Files.createTempFile("millrace-fuzz", ".yaml");
            file.toFile().deleteOnExit();
        }
        Files.write(file, bytes);
        Config config;
        try {
            // Without the secrets of other inputs.
            loader = new ConfigLoader(OutputTypes.ALL, VARIABLES, new Secrets());
            config = loader.load(file, new Overrides());
            RunSettingsAccess.check(config);
        } catch (ConfigException e) {
            check(e, bytes);
            return;
        } catch (IllegalArgumentException e) {
            // What two settings together make wrong has no one place.
            that(e.getMessage() != null && isLine(e.getMessage()), String.valueOf(e.getMessage()));
            return;
        }
        String shown = ConfigText.of(config);
        if (!shown.contains(HIDDEN)) {
            readAgain(config, shown);
        }
    }

    private void check(ConfigException e, byte[] bytes) {
        that(!e.problems().isEmpty(), "no problem");
        long lines = 2
                + new String(bytes, UTF_8)
                        .chars()
                        .filter(c -> c != ' ' && (c < ' ' || c > '~'))
                        .count();
        for (Problem problem : e.problems()) {
            that(
                    problem.mark().source().equals(file.toString()),
                    "problem of " + problem.mark().source());
            that(problem.mark().line() <= lines, "line " + problem.mark() + " of " + lines);
            that(problem.mark().column() >= 0, problem.mark().toString());
            that(problem.text().length() > 5 && isLine(problem.toString()), problem.toString());
        }
    }

    private static boolean isLine(String text) {
        return text.codePoints().noneMatch(c -> Character.isISOControl(c) || c == 0x2028 || c == 0x2029);
    }

    private void readAgain(Config config, String shown) throws IOException {
        Files.writeString(file, shown);
        try {
            Config again = loader.load(file, new Overrides());
            RunSettingsAccess.check(again);
            that(withoutDefaults(ConfigText.of(again)).equals(withoutDefaults(shown)), shown);
            that(again.inputs().equals(config.inputs()), "inputs: " + again.inputs());
            that(again.timeZone().equals(config.timeZone()), "timeZone: " + again.timeZone());
            that(again.inputRules().equals(config.inputRules()), "inputRules: " + again.inputRules());
            compare(config.all(), again.all());
        } catch (IllegalArgumentException e) {
            throw new AssertionError("what is shown is refused: " + shown, e);
        }
    }

    private static String withoutDefaults(String shown) {
        return DEFAULT.matcher(shown).replaceAll("");
    }

    private static void compare(Bound one, Bound other) {
        for (Entry entry : one.section().entries()) {
            if (entry instanceof Setting<?> setting) {
                Object a = one.find(setting);
                Object b = other.find(setting);
                that(!isComparable(a) || Objects.equals(a, b), setting.key() + ": " + a + " and " + b);
            } else if (entry instanceof Section section) {
                compare(one.get(section), other.get(section));
            } else if (entry instanceof NamedSections named) {
                that(
                        List.copyOf(one.get(named).keySet())
                                .equals(List.copyOf(other.get(named).keySet())),
                        named.key());
                one.get(named)
                        .forEach((name, bound) -> compare(
                                bound, Objects.requireNonNull(other.get(named).get(name))));
            }
        }
    }

    /** Formats and filters are compared by their text alone. */
    private static boolean isComparable(Object value) {
        return value instanceof Number
                || value instanceof String
                || value instanceof Boolean
                || value instanceof Enum
                || value instanceof Path
                || value instanceof Duration
                || value instanceof ZoneId
                || value instanceof Collection
                || value instanceof Map;
    }

    @Override
    protected List<byte[]> seeds() {
        return List.of(
                text("""
                        data: ${WHERE}/lib/millrace # where
                        inputs:
                          syslog: {listen: '[::]:5514', timeZone: Europe/Berlin, splitLines: on}
                          "firewall": {listen: 127.0.0.1:5515}
                        receive: {transport: nio, receiveBuffer: 64M, maxDatagram: 8K, receivers: auto}
                        policy:
                          allow: [10.0.0.0/8, '2001:db8::/32']
                          deny: 10.6.6.0/24, 10.7.0.1
                          perSource: {datagrams: 2k}
                          perNetwork: {bytes: 10M, ipv4Bits: 16}
                        timeZone: UTC
                        """),
                text("""
                        journal: {sync: interval, syncInterval: 200ms, whenFull: block, retention: {age: 7d, size: 10G}}
                        outputs:
                          archive:
                            type: file
                            path: ${WHERE}/log/{hostname}.log
                            format: '{timestamp} {hostname} $$ {message}'
                            where: severity <= err and not hostname == "fw1"
                            from: begin
                          loki: {type: http, url: 'https://logs.example.com/?key=a', format: json}
                          relay: {type: syslog, host: 127.0.0.1, framing: octet-counting}
                          out: {type: stdout, format: logfmt}
                        """),
                text("""
                        outputs:
                          bus:
                            type: kafka
                            brokers: ["127.0.0.1:9092"]
                            topic: t
                            properties: {batch.size: 65536, "sasl.jaas.config": "x\\ty \\u2028"}
                        admin: {listen: off}
                        sources: {watch: off, silentAfter: 10m}
                        """),
                text("data: \"a\\nb\"\ntimeZone: \"Mars\\nX\"\n? [a]\n: b\n"),
                text("receive:\n\tgro: on\n"),
                text("data: ${NOT_SET}\nadmin: {token: ${NOTHING:-${TEXT}}}\n"),
                text("- data\n---\ndata: &a x\ntimeZone: *a\n"));
    }

    private static byte[] text(String text) {
        return text.getBytes(UTF_8);
    }
}
