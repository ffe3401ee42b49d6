package io.millrace.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.message.Filter;
import io.millrace.message.InputRules;
import io.millrace.message.LogRecord;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RoutingTest {
    private static final String[] CHAIN = {
        "outputs:",
        "  errors: {type: stdout, where: severity <= err}",
        "  auth: {type: syslog, host: h, where: facility == auth, otherwise: errors}",
        "  rest: {type: file, path: /tmp/rest, otherwise: [errors, auth]}",
    };

    @TempDir
    private Path directory;

    private Config load(String... lines) throws IOException {
        Path file = Files.writeString(directory.resolve("m.yaml"), String.join("\n", lines));
        return new ConfigLoader(OutputTypes.ALL, Map.of()).load(file, new Overrides());
    }

    private List<String> problems(String... lines) throws IOException {
        try {
            return load(lines).routing().warnings().stream().map(Problem::text).toList();
        } catch (ConfigException e) {
            return e.problems().stream().map(Problem::text).toList();
        }
    }

    /** The outputs that take a message, by their names. */
    private static List<String> takers(Config config, String message) {
        byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
        LogRecord record = LogRecord.of(new InputRules(ZoneOffset.UTC, false)).wrap(bytes, 0, bytes.length, 0);
        Routing routing = config.routing();
        return config.outputs().stream()
                .filter(output -> {
                    Filter filter = routing.filter(output);
                    return filter == null || filter.matches(record);
                })
                .map(OutputConfig::name)
                .toList();
    }

    @Test
    void eachMessageGoesToTheFirstOutputThatTakesIt() throws IOException {
        Config config = load(CHAIN);
        assertThat(takers(config, "<35>Nov 25 10:00:00 h sshd: err of auth")).containsExactly("errors");
        assertThat(takers(config, "<38>Nov 25 10:00:00 h sshd: info of auth")).containsExactly("auth");
        assertThat(takers(config, "<14>Nov 25 10:00:00 h app: info of user")).containsExactly("rest");
        assertThat(takers(config, "no syslog at all")).containsExactly("rest");
    }

    @Test
    void withoutOtherwiseEachOutputDecidesAlone() throws IOException {
        Config config = load("outputs:", "  a: {type: stdout}", "  b: {type: stdout, where: severity <= err}");
        assertThat(takers(config, "<35>x")).containsExactly("a", "b");
    }

    @Test
    void errorsNameTheOutputThatIsMeant() throws IOException {
        assertThat(problems("outputs:", "  errors: {type: stdout}", "  rest: {type: stdout, otherwise: [erors]}"))
                .containsExactly(
                        "outputs.rest.otherwise accepts names of other outputs, not 'erors'; did you mean errors?");
        assertThat(problems("outputs:", "  rest: {type: stdout, otherwise: x}"))
                .containsExactly("outputs.rest.otherwise accepts names of other outputs, not 'x'; there is no other");
    }

    @Test
    void outputsThatDependOnEachOtherAreRefused() throws IOException {
        String text = " accepts outputs that do not depend on this one, and one of them does";
        assertThat(problems(
                        "outputs:",
                        "  a: {type: stdout, otherwise: b}",
                        "  b: {type: stdout, otherwise: c}",
                        "  c: {type: stdout, otherwise: [a]}"))
                .containsExactly(
                        "outputs.a.otherwise" + text, "outputs.b.otherwise" + text, "outputs.c.otherwise" + text);
        assertThat(problems("outputs:", "  a: {type: stdout, otherwise: a}"))
                .containsExactly("outputs.a.otherwise" + text);
    }

    @Test
    void warnsOfAnOutputThatGetsNothing() throws IOException {
        assertThat(problems("outputs:", "  a: {type: stdout}", "  b: {type: stdout, otherwise: a}"))
                .containsExactly(
                        "outputs.b.otherwise: output 'a' has no where and accepts all messages, so this one gets none");
        assertThat(problems(CHAIN)).isEmpty();
    }

    @Test
    void changedWhereChangesTheOutputsThatComeAfterIt() throws IOException {
        String[] other = CHAIN.clone();
        other[1] = "  errors: {type: stdout, where: severity <= warning}";
        Config before = load(CHAIN);
        Config after = load(other);
        Routing routing = after.routing();
        assertThat(after.outputs()).noneMatch(output -> routing.saysTheSame(output, before.routing()));
        assertThat(after.outputs()).allMatch(output -> routing.saysTheSame(output, after.routing()));
    }

    private static final String[] NAMED = {
        "filters:",
        "  denies: 'fields.action == \"deny\"'",
        "  bad-denies: 'filter(denies) and severity <= err'",
        "outputs:",
        "  bad: {type: stdout, where: filter(bad-denies)}",
        "  denies: {type: stdout, where: 'filter(denies) and hostname', otherwise: bad}",
        "  errors: {type: stdout, where: severity <= err}",
    };

    @Test
    void outputsUseNamedFilters() throws IOException {
        Config config = load(NAMED);
        assertThat(takers(config, "<35>Nov 25 10:00:00 h a: action=deny")).containsExactly("bad", "errors");
        assertThat(takers(config, "<38>Nov 25 10:00:00 h a: action=deny")).containsExactly("denies");
        assertThat(takers(config, "<35>Nov 25 10:00:00 h a: action=allow")).containsExactly("errors");
        assertThat(problems(NAMED)).isEmpty();
    }

    @Test
    void changedFilterChangesTheOutputsThatUseIt() throws IOException {
        String[] other = NAMED.clone();
        other[1] = "  denies: 'fields.action in [\"deny\", \"drop\"]'";
        Config before = load(NAMED);
        Config after = load(other);
        assertThat(after.outputs().stream()
                        .filter(output -> after.routing().saysTheSame(output, before.routing()))
                        .map(OutputConfig::name))
                .containsExactly("errors");
        assertThat(before.needsRestart(after)).isEmpty();
        other = NAMED.clone();
        other[2] = "  bad-denies: 'filter(denies) and severity <= crit'";
        Config third = load(other);
        assertThat(third.outputs().stream()
                        .filter(output -> third.routing().saysTheSame(output, before.routing()))
                        .map(OutputConfig::name))
                .containsExactly("errors");
    }

    @Test
    void errorsOfNamedFiltersHaveTheirPlace() throws IOException {
        assertThat(problems(
                        "filters:",
                        "  denies: hostname",
                        "  a: filter(b)",
                        "  b: filter(a)",
                        "outputs:",
                        "  x: {type: stdout, where: hostname and filter(denise)}"))
                .containsExactly(
                        "filters.a: column 8: b is not right: column 8: a is not right: a filter cannot use itself: a uses b uses a",
                        "filters.b: column 8: a is not right: column 8: b is not right: a filter cannot use itself: b uses a uses b",
                        "outputs.x.where: column 21: denise is not right: there is no filter denise; did you mean denies?");
        assertThat(problems(
                        "filters:",
                        "  1x: hostname",
                        "  y: [hostname]",
                        "  z: 'severty'",
                        "  v: 'message matches \"\\d\"'"))
                .satisfiesExactly(
                        text -> assertThat(text).startsWith("filters: a name has up to 64 letters"),
                        text -> assertThat(text)
                                .startsWith("filters: 'y' accepts a condition such as severity <= err, not"),
                        text -> assertThat(text).startsWith("filters: 'z': column 1: there is no field severty"),
                        text -> assertThat(text).contains("\\d is no escape"));
        assertThat(problems("filters: hostname"))
                .singleElement()
                .asString()
                .startsWith("filters accepts a mapping of names");
        assertThat(problems("outputs:", "  x: {type: stdout, where: 'hostname in file(\"/no/such\")'}"))
                .singleElement()
                .asString()
                .contains(
                        "outputs.x.where: column 18: \"/no/such\" is not right: cannot read /no/such: file does not exist");
    }

    @Test
    void warnsOfAWhereThatNothingMatches() throws IOException {
        assertThat(problems(
                        "filters: {errors: severity <= err}",
                        "outputs:",
                        "  a: {type: stdout, where: filter(errors) and severity == info}",
                        "  b: {type: stdout, where: severity <= err}",
                        "  c: {type: stdout, where: severity<=err, otherwise: b}",
                        "  d: {type: stdout, where: severity <= err, otherwise: c}"))
                .containsExactly(
                        "outputs.a.where: no message can match severity <= err and severity == info, so this output gets none",
                        "outputs.c.otherwise: output 'b' has the same where, so this one gets none");
    }
}
