package io.millrace.internal.parse.time;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TestSeed;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimeReaderTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    private final TimeReader utc = new TimeReader(ZoneOffset.UTC);

    private static int read(TimeReader times, String text, String now) {
        byte[] bytes = text.getBytes(US_ASCII);
        times.wrap(bytes, bytes.length);
        int after = times.iso(0);
        if (after == TimeReader.NONE) {
            after = times.yearFirst(0);
        }
        return after == TimeReader.NONE ? times.bsd(0, ns(Instant.parse(now))) : after;
    }

    private static long ns(Instant instant) {
        return instant.getEpochSecond() * 1_000_000_000L + instant.getNano();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2003-08-24T05:14:15.000003-07:00 | 2003-08-24T12:14:15.000003Z",
                "1985-04-12T23:20:50.52Z | 1985-04-12T23:20:50.520Z",
                "1985-04-12T19:20:50.52-04:00 | 1985-04-12T23:20:50.520Z",
                "2003-10-11T22:14:15.003Z | 2003-10-11T22:14:15.003Z",
                "2026-11-21T10:00:00+0530 | 2026-11-21T04:30:00Z",
                "2026-11-21 10:00:00,123456789123 | 2026-11-21T10:00:00.123456789Z",
                "2024-02-29T23:59:60Z | 2024-03-01T00:00:00Z",
                "Oct 11 22:14:15 | 2026-10-11T22:14:15Z",
                "Oct  1 2:14:15 | 2026-10-01T02:14:15Z",
                "Oct 1 02:14:15.5 | 2026-10-01T02:14:15.500Z",
                "oct 11 22:14:15 | 2026-10-11T22:14:15Z",
                "Oct 11 2003 22:14:15 | 2003-10-11T22:14:15Z",
                "Oct 11 22:14:15 2003 | 2003-10-11T22:14:15Z",
                "Oct 11 22:14:15.123 CET | 2026-10-11T21:14:15.123Z",
                "Oct 11 22:14:15 EST: | 2026-10-12T03:14:15Z",
                "Oct 11 22:14:15 SAST: %A-1-B: | 2026-10-11T20:14:15Z",
                "Oct 11 22:14:15 AEST | 2026-10-11T12:14:15Z",
                "Oct 11 22:14:15 BST 2003 | 2003-10-11T22:14:15Z",
                "Oct 11 22:14:15 +02:00 | 2026-10-11T20:14:15Z",
                "2009 Nov 21 10:00:00.250 UTC: | 2009-11-21T10:00:00.250Z",
            })
    void parsesKnownForms(String text, String expected) {
        assertThat(read(utc, text, "2026-11-21T12:00:00Z")).as(text).isPositive();
        assertThat(utc.timeNs()).as(text).isEqualTo(ns(Instant.parse(expected)));
    }

    @ParameterizedTest
    @CsvSource({
        "2026-13-01T00:00:00Z",
        "2026-02-29T00:00:00Z",
        "2026-11-21T24:00:00Z",
        "2026-11-21T10:60:00Z",
        "2026-11-21T10:00:61Z",
        "2026-11-21T10:00:00X",
        "2026-11-21T10:00",
        "Feb 30 10:00:00",
        "Okt 11 22:14:15",
        "Oct 0 22:14:15",
        "Oct 11 22:14",
        "Oct 11",
        "Oct",
        "O",
    })
    void rejectsOtherTexts(String text) {
        assertThat(read(utc, text, "2026-11-21T12:00:00Z")).isEqualTo(TimeReader.NONE);
    }

    @ParameterizedTest
    @CsvSource({
        // The last message of a year, received in the next one, and the other way round.
        "2027-01-01T00:00:01Z, Dec 31 23:59:59, 2026-12-31T23:59:59Z",
        "2026-12-31T23:59:58Z, Jan  1 00:00:01, 2027-01-01T00:00:01Z",
        "2026-12-31T23:59:58Z, Dec 31 23:59:59, 2026-12-31T23:59:59Z",
        "2027-01-01T00:00:01Z, Jan  1 00:00:00, 2027-01-01T00:00:00Z",
        "2026-03-01T00:00:00Z, Nov 15 00:00:00, 2025-11-15T00:00:00Z",
        "2026-11-21T12:00:00Z, Feb  5 00:00:00, 2026-02-05T00:00:00Z",
        "2026-11-21T12:00:00Z, Nov 28 12:00:00, 2026-11-28T12:00:00Z",
        "2026-11-21T12:00:00Z, Nov 28 12:00:01, 2025-11-28T12:00:01Z",
        "2024-02-23T00:00:00Z, Feb 29 00:00:00, 2024-02-29T00:00:00Z",
        "2024-03-01T00:00:00Z, Feb 29 23:00:00, 2024-02-29T23:00:00Z",
        "2025-03-01T00:00:00Z, Feb 29 23:00:00, 2024-02-29T23:00:00Z",
        "2100-03-01T00:00:00Z, Feb 29 23:00:00, 2096-02-29T23:00:00Z",
        "1970-01-01T00:00:00Z, Dec 31 23:00:00, 1969-12-31T23:00:00Z",
    })
    void missingYearIsAtMostAWeekAhead(String now, String text, String expected) {
        assertThat(read(utc, text, now)).isPositive();
        assertThat(Instant.ofEpochSecond(0, utc.timeNs())).isEqualTo(Instant.parse(expected));
    }

    @Test
    void localTimesUseTheZone() {
        TimeReader berlin = new TimeReader(BERLIN);
        Random random = TestSeed.random(TimeReaderTest.class);
        DateTimeFormatter format = DateTimeFormatter.ofPattern("MMM d yyyy HH:mm:ss", Locale.ENGLISH);
        for (int i = 0; i < 20_000; i++) {
            LocalDateTime local = LocalDateTime.ofEpochSecond(random.nextLong(0, 4_000_000_000L), 0, ZoneOffset.UTC);
            assertThat(read(berlin, local.format(format), "2026-11-21T12:00:00Z"))
                    .isPositive();
            assertThat(berlin.timeNs())
                    .as("%s", local)
                    .isEqualTo(ns(local.toInstant(BERLIN.getRules().getOffset(local))));
        }
    }

    @Test
    void timesNearTransitionsUseTheZone() {
        TimeReader berlin = new TimeReader(BERLIN);
        for (LocalDateTime day :
                new LocalDateTime[] {LocalDateTime.of(2026, 3, 29, 0, 0), LocalDateTime.of(2026, 10, 25, 0, 0)}) {
            for (int minute = -2_000; minute < 3_000; minute++) {
                LocalDateTime local = day.plusMinutes(minute);
                assertThat(read(berlin, local + (local.getSecond() == 0 ? ":00" : ""), "2026-11-21T12:00:00Z"))
                        .isPositive();
                assertThat(berlin.timeNs())
                        .as("%s", local)
                        .isEqualTo(ns(local.toInstant(BERLIN.getRules().getOffset(local))));
            }
        }
    }

    @Test
    void nonexistentTimeHasNoEffect() {
        TimeReader berlin = new TimeReader(BERLIN);
        for (int i = 0; i < 2; i++) {
            assertThat(read(berlin, "2026-03-29T02:30:00", "2026-11-21T12:00:00Z"))
                    .isPositive();
            assertThat(berlin.timeNs()).isEqualTo(ns(Instant.parse("2026-03-29T01:30:00Z")));
            assertThat(read(berlin, "2026-06-01T12:00:00", "2026-11-21T12:00:00Z"))
                    .isPositive();
            assertThat(berlin.timeNs()).isEqualTo(ns(Instant.parse("2026-06-01T10:00:00Z")));
        }
    }

    @Test
    void parsesAnyFormattedInstant() {
        Random random = TestSeed.random(TimeReaderTest.class);
        for (int i = 0; i < 50_000; i++) {
            Instant instant = Instant.ofEpochSecond(
                    random.nextLong(-9_000_000_000L, 9_000_000_000L), random.nextInt(1_000_000_000));
            assertThat(read(utc, instant.toString(), "2026-11-21T12:00:00Z")).isPositive();
            assertThat(utc.timeNs()).as("%s", instant).isEqualTo(ns(instant));
        }
    }

    @Test
    void yearsBeyondTheRangeOfNanosecondsHaveNoTime() {
        assertThat(read(utc, "9999-12-31T23:59:59Z", "2026-11-21T12:00:00Z")).isPositive();
        assertThat(utc.timeNs()).isEqualTo(TimeReader.NO_TIME);
    }
}
