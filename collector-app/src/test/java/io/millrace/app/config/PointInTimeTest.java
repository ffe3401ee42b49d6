package io.millrace.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PointInTimeTest {
    private static final Clock NOON = Clock.fixed(Instant.parse("2026-11-24T11:00:00Z"), ZoneId.of("Europe/Berlin"));

    @ParameterizedTest
    @CsvSource({
        "2026-11-21T08:30:00Z, 2026-11-21T08:30:00Z",
        "2026-11-21T08:30:00.5Z, 2026-11-21T08:30:00.500Z",
        "2026-11-21T08:30:00+02:00, 2026-11-21T06:30:00Z",
        "2026-11-21 08:30:00+02:00, 2026-11-21T06:30:00Z",
        "2026-11-21T08:30, 2026-11-21T07:30:00Z",
        "2026-11-21 08:30:15, 2026-11-21T07:30:15Z",
        "2026-11-21, 2026-11-20T23:00:00Z",
        "08:30, 2026-11-24T07:30:00Z",
        "08:30:15, 2026-11-24T07:30:15Z",
        "5m, 2026-11-24T10:55:00Z",
        "2h, 2026-11-24T09:00:00Z",
        "now, 2026-11-24T11:00:00Z",
        "1795518000, 2026-11-24T11:00:00Z"
    })
    void readsEachForm(String text, String expected) {
        assertThat(PointInTime.parse(text, NOON)).isEqualTo(Instant.parse(expected));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "yesterday", "25:00", "0/42", "5", "5 m", "2026-13-01", "99999999999999d"})
    void rejectsTheRest(String text) {
        assertThat(PointInTime.parse(text, NOON)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"now", "5m", "08:30", "08:30:15", "yesterday"})
    void fixedTimeMeansTheSameTomorrow(String text) {
        assertThat(PointInTime.parseFixed(text)).isNull();
        assertThat(PointInTime.parseFixed("2026-11-21T08:30:00Z")).isEqualTo(Instant.parse("2026-11-21T08:30:00Z"));
        assertThat(PointInTime.parseFixed("2026-11-21")).isNotNull();
    }
}
