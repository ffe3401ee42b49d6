package io.millrace.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.millrace.setting.Entry;
import io.millrace.setting.Section;
import io.millrace.setting.Setting;
import io.millrace.setting.SettingType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An invalid value of any setting is reported with its place and the valid values. */
class InvalidSettingTest {
    private static final String FILE = "/etc/m.yaml";

    /** Texts of which each type rejects one. */
    private static final List<String> TEXTS = List.of("1000000d", "-1", "99999999999999999999", "a,,b", "", "a b", "{");

    /**
     * A setting and a file that ends with it.
     *
     * @param path its name in messages
     * @param lines the lines before it
     */
    private record Place(String path, List<String> lines, Setting<?> setting) {
        /** The file, with a value of the setting in its last line. */
        String text(String value) {
            return String.join("\n", lines) + "\n" + indent(lines) + setting.key() + ": '" + value + "'\n";
        }

        String mark() {
            return FILE + ":" + (lines.size() + 1) + ":"
                    + (indent(lines).length() + setting.key().length() + ": ".length() + 1);
        }

        /** The name of the test. */
        @Override
        public String toString() {
            return path;
        }
    }

    private static String indent(List<String> lines) {
        return "  "
                .repeat((int) lines.stream().filter(line -> line.endsWith(":")).count());
    }

    static Stream<Place> places() {
        List<Place> places = new ArrayList<>();
        section("", List.of("# A comment"), Config.description(OutputTypes.ALL), places);
        return places.stream();
    }

    private static void section(String path, List<String> lines, Section section, List<Place> places) {
        for (Entry entry : section.entries()) {
            String inner = path + entry.key();
            if (entry instanceof Setting<?> setting) {
                places.add(new Place(inner, lines, setting));
            } else if (entry instanceof Section part) {
                section(inner + ".", with(lines, entry.key() + ":"), part, places);
            } else if (entry instanceof NamedSections named) {
                List<String> name = with(with(lines, entry.key() + ":"), "x:");
                Setting<String> type = named.type();
                named.kinds().forEach((kind, settings) -> {
                    Section others = new Section(
                            "",
                            "",
                            settings.entries().stream().filter(it -> it != type).toList());
                    section(inner + ".x.", type == null ? name : with(name, type.key() + ": " + kind), others, places);
                });
                if (type != null) {
                    places.add(new Place(inner + ".x." + type.key(), name, type));
                }
            }
        }
    }

    private static List<String> with(List<String> lines, String line) {
        return Stream.concat(lines.stream(), Stream.of(indent(lines) + line)).toList();
    }

    @ParameterizedTest
    @MethodSource("places")
    void isReportedWithItsPlaceAndTheValidValues(Place place) {
        SettingType<?> type = place.setting().type();
        String value = TEXTS.stream()
                .filter(text -> isInvalid(type, text))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no invalid value: add one for this type"));
        assertThat(problems(place.text(value)))
                .filteredOn(problem -> problem.startsWith(place.mark() + ": "))
                .singleElement()
                .asString()
                .startsWith(place.mark() + ": " + place.path() + " accepts ")
                .contains(type.takes());
    }

    private static boolean isInvalid(SettingType<?> type, String text) {
        try {
            return type.parse(text) == null;
        } catch (IllegalArgumentException e) {
            return Objects.toString(e.getMessage()).startsWith("accepts " + type.takes());
        }
    }

    private static List<String> problems(String text) {
        ConfigLoader loader = new ConfigLoader(OutputTypes.ALL, Map.of());
        ConfigException e = catchThrowableOfType(ConfigException.class, () -> loader.load(FILE, text, new Overrides()));
        return e.problems().stream().map(Problem::toString).toList();
    }

    @Test
    void latencyHasARange() {
        assertThat(problems("receive:\n  latency: 200ms\n"))
                .containsExactly(FILE + ":2:12: receive.latency accepts a time from 0ms to 100ms, not '200ms'");
    }

    @Test
    void everySectionIsTried() {
        assertThat(places().map(Place::path))
                .hasSizeGreaterThan(150)
                .contains(
                        "data",
                        "inputs.x.tls.handshakeTimeout",
                        "receive.latency",
                        "journal.retention.age",
                        "policy.perNetwork.ipv6Bits",
                        "outputs.x.repeat.window",
                        "outputs.x.brokers",
                        "sources.groups.x.silentAfter",
                        "alerts.webhooks.x.url",
                        "admin.token");
    }
}
