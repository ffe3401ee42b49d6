package io.millrace.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.message.Filter;
import io.millrace.message.FilterScope;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WildcardsTest {
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '\'',
            value = {
                "hostname == \"fw*\", hostname startswith \"fw\"",
                "hostname != \"fw*\", hostname not startswith \"fw\"",
                "severity <= err and appname == \"*d\", appname endswith \"d\"",
                "message == \"*denied*\", message contains \"denied\"",
                "hostname == \"fw*.example.com\", hostname matches \"^fw.*.example.com$\"",
            })
    void asteriskIsExplained(String expression, String meant) {
        assertThat(Wildcards.warning(expression)).endsWith("; did you mean " + meant + "?");
        assertThat(Filter.compile(meant, FilterScope.SYNTAX)).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"hostname == \"fw\"", "message matches \"a*\"", "hostname in [\"*\"]"})
    void otherAsterisksAreNot(String expression) {
        assertThat(Wildcards.warning(expression)).isNull();
    }
}
