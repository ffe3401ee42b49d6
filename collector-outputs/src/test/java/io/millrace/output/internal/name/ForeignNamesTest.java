package io.millrace.output.internal.name;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ForeignNamesTest {
    @ParameterizedTest
    @CsvSource({
        "/logs/%Y-%m.log, %Y, year",
        "/logs/%HOSTNAME%/all.log, %HOSTNAME%, hostname",
        "/logs/%FROMHOST-IP%.log, %FROMHOST-IP%, source_ip",
        "/logs/%hostname:::secpath-replace%.log, %hostname:::secpath-replace%, hostname",
        "/logs/%$YEAR%/x.log, %$YEAR%, year",
        "/logs/$HOST/$YEAR.log, $HOST, hostname",
        "/logs/${R_YEAR}.log, ${R_YEAR}, year",
        "/logs/{hostname}/$PROGRAM.log, $PROGRAM, appname",
    })
    void nameOfAnotherProgramIsText(String template, String found, String ours) {
        assertThat(ForeignNames.warning(template))
                .startsWith("in '" + template + "' " + found + " is text, not a ")
                .endsWith("; did you mean {" + ours + "}?");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/logs/{timestamp:%Y}/{timestamp:%F}.log",
                "/logs/100%/x",
                "/logs/%Yes",
                "/logs/$UNKNOWN/x",
                "/logs/{date}/{hostname}.log",
            })
    void ownFieldsAndOtherTextGiveNoWarning(String template) {
        assertThat(ForeignNames.warning(template)).isNull();
    }
}
