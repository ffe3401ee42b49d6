package io.millrace.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command line: what it refuses and how it says so. Nothing here sends. */
class SendCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int send(String args) {
        return SendMain.run(new PrintWriter(out), new PrintWriter(err), args.split(" ", -1));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--rate 5 | option: '--to=HOST:PORT'",
                "--to here | option '--to': got 'here', but takes HOST:PORT",
                "--to 127.0.0.1 | option '--to': got '127.0.0.1', but takes HOST:PORT",
                "--to 127.0.0.1:0 | option '--to': got '127.0.0.1:0', but takes HOST:PORT with a port from 1",
                "--to 127.0.0.1:65536 | option '--to': got '127.0.0.1:65536'",
                "--to ::1:5514 | option '--to': got '::1:5514', but takes HOST:PORT",
                "--to :5514 | option '--to': got ':5514'",
                "--to 127.0.0.1:9 --rate fast | option '--rate': got 'fast', but takes a rate",
                "--to 127.0.0.1:9 --count 1.5 | option '--count': got '1.5', but takes a whole number",
                "--to 127.0.0.1:9 --count 0 | option '--count': got '0'",
                "--to 127.0.0.1:9 --count 999999999999999999M | option '--count': got '999999999999999999M'",
                "--to 127.0.0.1:9 --duration 10 | option '--duration': got '10', but takes a time",
                "--to 127.0.0.1:9 --duration 0s | option '--duration': got '0s'",
                "--to 127.0.0.1:9 --duration 9000h | option '--duration': got '9000h', but takes a time of at most a year",
                "--to 127.0.0.1:9 --size 31 | option '--size': got '31', but takes a whole number of bytes from 32 to 65507",
                "--to 127.0.0.1:9 --size 65508 | option '--size': got '65508'",
                "--to 127.0.0.1:9 --size 1k | option '--size': got '1k'",
                "--to 127.0.0.1:9 --sources 10001 | option '--sources': got '10001', but takes a whole number of sources",
                "--to 127.0.0.1:9 --sources 0 | option '--sources': got '0'",
                "--to 127.0.0.1:9 --run XYZ | option '--run': got 'XYZ', but takes 1 to 8",
                "--to 127.0.0.1:9 --run 123456789 | option '--run': got '123456789'",
                "--to 127.0.0.1:9 --tolerate 101 | option '--tolerate': got '101', but takes a percentage",
                "--to 127.0.0.1:9 --tolerate 1k | option '--tolerate': got '1k'",
                "--to 127.0.0.1:9 --count 5 --duration 5s | mutually exclusive",
                "--to 127.0.0.1:9 --cuont 5 | Unknown option",
                "--to 127.0.0.1:9 more | at index 2: 'more'",
                "--to 127.0.0.1:9 --rate 10M --duration 1h | raise --sources",
            })
    void wrongArgumentsAreToldAndExitWithTwo(String args, String message) {
        assertThat(send(args)).as(err.toString()).isEqualTo(2);
        assertThat(err.toString())
                .startsWith("millrace send: ")
                .contains(message)
                .endsWith("see millrace send --help" + System.lineSeparator())
                .doesNotContain("\tat ");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void helpAndVersionGoToStandardOutput() {
        assertThat(send("--help")).isZero();
        assertThat(out.toString())
                .contains("Usage: millrace send")
                .contains("Examples:")
                .contains("--tolerate");
        out.getBuffer().setLength(0);
        assertThat(send("--version")).isZero();
        assertThat(out.toString()).startsWith("millrace send ");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void targetsAreHostsAndAddressesOfBothFamilies() {
        OptionValues.TargetConverter converter = new OptionValues.TargetConverter();
        assertThat(converter.convert("127.0.0.1:5514").address().getAddress().getAddress())
                .hasSize(4);
        assertThat(converter.convert("[::1]:5514").address().getAddress().getAddress())
                .hasSize(16);
        assertThat(converter.convert("localhost:65535").address().getPort()).isEqualTo(65_535);
        assertThat(converter.convert("localhost:1").text()).isEqualTo("localhost:1");
    }

    @ParameterizedTest
    @CsvSource({"500ms, 500", "10s, 10000", "1.5s, 1500", "2m, 120000", "1h, 3600000", "8760h, 31536000000"})
    void durationsHaveUnits(String text, long millis) {
        assertThat(new OptionValues.DurationConverter().convert(text)).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "5000, 5000", "100k, 100000", "1.5M, 1500000"})
    void countsTakeSuffixes(String text, long count) {
        assertThat(new OptionValues.CountConverter().convert(text)).isEqualTo(count);
    }

    @Test
    void runIdsAreUnsigned() {
        assertThat(new OptionValues.RunIdConverter().convert("ffffffff")).isEqualTo(-1);
        assertThat(Report.runId(-1)).isEqualTo("ffffffff");
    }
}
