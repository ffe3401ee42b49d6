package io.millrace.sender.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.sender.SendMain;
import io.millrace.sender.value.Quantity;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.TypeConversionException;

/** The command line and its error messages. Nothing here sends. */
class SendCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int send(String args) {
        return SendMain.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(args.split(" ", -1));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--rate 5 | option: '--to=HOST:PORT'",
                "--to here | option '--to' (HOST:PORT): got 'here', but accepts HOST:PORT",
                "--to 127.0.0.1 | option '--to' (HOST:PORT): got '127.0.0.1', but accepts HOST:PORT",
                "--to 127.0.0.1:0 | option '--to' (HOST:PORT): got '127.0.0.1:0', but accepts HOST:PORT with a port from 1",
                "--to 127.0.0.1:65536 | option '--to' (HOST:PORT): got '127.0.0.1:65536'",
                "--to ::1:5514 | option '--to' (HOST:PORT): got '::1:5514', but accepts HOST:PORT",
                "--to :5514 | option '--to' (HOST:PORT): got ':5514'",
                "--to 127.0.0.1:9 --rate fast | option '--rate': got 'fast', but accepts a rate",
                "--to 127.0.0.1:9 --count 1.5 | option '--count': got '1.5', but accepts an integer",
                "--to 127.0.0.1:9 --count 0 | option '--count': got '0'",
                "--to 127.0.0.1:9 --count 999999999999999999M | option '--count': got '999999999999999999M'",
                "--to 127.0.0.1:9 --duration 10 | option '--duration': got '10', but accepts a duration",
                "--to 127.0.0.1:9 --duration 0s | option '--duration': got '0s'",
                "--to 127.0.0.1:9 --duration 9000h | option '--duration': got '9000h', but accepts a duration of up to a year",
                "--to 127.0.0.1:9 --size 31 | needs at least 32 bytes, its identity, but --size is 31",
                "--to 127.0.0.1:9 --size 0 | option '--size': got '0', but accepts an integer of bytes up to 65507",
                "--to 127.0.0.1:9 --size 90-80 | option '--size': got '90-80'",
                "--to 127.0.0.1:9 --size 31-80 | but --size is 31-80",
                "--to 127.0.0.1:9 --pattern rfc5424 --size 60 | of the pattern rfc5424 needs at least 1",
                "--to 127.0.0.1:9 --pattern rfc3164 --size 60 | with its header and its identity, but --size is 60",
                "--to 127.0.0.1:9 --pattern syslog | option '--pattern': expected one of [SEQUENCE, FIXED",
                "--to 127.0.0.1:9 --seed x | option '--seed': 'x' is not a long",
                "--to 127.0.0.1:9 --batch 65 | --batch accepts a number from 1 to 64, not 65",
                "--to 127.0.0.1:9 --batch 16 --size 100-200 | the messages of a batch have the same size: --batch needs",
                "--to 127.0.0.1:9 --batch 64 --size 1400 | with --size 1400 the maximum of --batch is 46, not 64",
                "--to 127.0.0.1:9 --batch 2 --size 40000 | with --size 40000 omit --batch",
                "--to 127.0.0.1:9 --batch 2 --file a | --batch cannot be used with --file, --pcap and --replay",
                "--to unixgram:///a --batch 2 | --batch cannot be used with unixgram://",
                "--to tcp://127.0.0.1:9 --io epoll | --io is for UDP: omit it with tcp://",
                "--to 127.0.0.1:9 --gso 16 --io nio | --batch with UDP needs --io epoll, and this run has --io nio",
                "--to 127.0.0.1:9 --gso 16 --burst 24 | --burst accepts a multiple of --batch 16, not 24",
                "--to 127.0.0.1:9 --rate 1k:1s --count 5 | the steps of --rate set the length of the run",
                "--to 127.0.0.1:9 --rate 1k:1s --duration 5s | --count and --duration cannot be used with them",
                "--to 127.0.0.1:9 --rate 1k:1s,2k | option '--rate': got '1k:1s,2k', but accepts RATE:TIME and RATE..RATE",
                "--to 127.0.0.1:9 --speed 2 | --speed applies to recorded times: add --pcap or --replay",
                "--to 127.0.0.1:9 --speed 0 | --speed accepts a number from 0.001 to 1000, not 0",
                "--to 127.0.0.1:9 --pcap a --replay b | --file, --pcap and --replay exclude each other",
                "--to 127.0.0.1:9 --file a --pcap b | --file, --pcap and --replay exclude each other",
                "--to 127.0.0.1:9 --file a --pattern cisco | --pattern and --size cannot be used with --file, --pcap and --replay",
                "--to 127.0.0.1:9 --pcap a --size 100 | --pattern and --size cannot be used with --file, --pcap and --replay",
                "--to 127.0.0.1:9 --sources 20000 --threads 2 | omit --threads and --batch, or use fewer --sources",
                "--to 127.0.0.1:9 --sources 20000 --batch 2 | have one thread and no batches",
                "--to 127.0.0.1:9 --sources 20000 --io nio --rate max | add --count to --rate max",
                "--to 127.0.0.1:9 --io tcp | option '--io': expected one of [AUTO, EPOLL, NIO]",
                "--to 127.0.0.1:9 --threads 4 --sources 3 | need at least 4 sources, one per thread, but there are 3",
                "--to 127.0.0.1:9 --source-net 127.0.0.1/8 | option '--source-net': got '127.0.0.1/8', but accepts an IPv4 net",
                "--to [::1]:9 --source-net 127.0.0.0/8 | has IPv4 addresses, which cannot send to [::1]:9",
                "--to 127.0.0.1:9 --size 65508 | option '--size': got '65508'",
                "--to 127.0.0.1:9 --size 1k | option '--size': got '1k'",
                "--to 127.0.0.1:9 --sources 1000001 | --sources accepts a number from 1 to 1000000, not 1000001",
                "--to 127.0.0.1:9 --sources 0 | --sources accepts a number from 1 to 1000000, not 0",
                "--to 127.0.0.1:9 --run XYZ | option '--run': got 'XYZ', but accepts 1 to 8",
                "--to 127.0.0.1:9 --run 123456789 | option '--run': got '123456789'",
                "--to 127.0.0.1:9 --tolerate 101 | --tolerate accepts a number from 0 to 100, not 101",
                "--to 127.0.0.1:9 --tolerate 1k | option '--tolerate': '1k' is not a double",
                "--to 127.0.0.1:9 --count 5 --duration 5s | mutually exclusive",
                "--to 127.0.0.1:9 --cuont 5 | Unknown option",
                "--to 127.0.0.1:9 more | at index 2: 'more'",
                "--to 127.0.0.1:9 --rate 10M --duration 1h | raise --sources",
            })
    void invalidArgumentsAreReportedWithExitCodeTwo(String args, String message) {
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
        assertThat(Target.parse("127.0.0.1:5514").address().getAddress().getAddress())
                .hasSize(4);
        assertThat(Target.parse("[::1]:5514").address().getAddress().getAddress())
                .hasSize(16);
        assertThat(Target.parse("localhost:65535").address().getPort()).isEqualTo(65_535);
        assertThat(Target.parse("localhost:1").text()).isEqualTo("localhost:1");
    }

    @Test
    void targetsMayBeConnectedTo() {
        assertThat(Target.parse("udp://127.0.0.1:5514").kind()).isEqualTo(Target.Kind.UDP);
        assertThat(Target.parse("tcp://127.0.0.1:5514").kind()).isEqualTo(Target.Kind.STREAM);
        assertThat(Target.parse("tcp://127.0.0.1:5514").address().getPort()).isEqualTo(5514);
        assertThat(Target.parse("unix:///run/log").destination()).hasToString("/run/log");
        assertThat(Target.parse("unixgram:///dev/log").kind()).isEqualTo(Target.Kind.UNIX_DATAGRAM);
        assertThat(send("--to unix://run/log")).isEqualTo(2);
        assertThat(err.toString()).contains("absolute path");
        assertThat(send("--to tcp://127.0.0.1:1 --to 127.0.0.1:1")).isEqualTo(2);
        assertThat(err.toString()).contains("targets of one kind");
        assertThat(send("--to 127.0.0.1:1 --framing newline")).isEqualTo(2);
        assertThat(err.toString()).contains("--framing is for connections");
    }

    @ParameterizedTest
    @CsvSource({"500ms, 500", "10s, 10000", "1.5s, 1500", "2m, 120000", "1h, 3600000", "8760h, 31536000000"})
    void durationsHaveUnits(String text, long millis) {
        assertThat(Quantity.duration(text)).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "5000, 5000", "100k, 100000", "1.5M, 1500000"})
    void countsTakeSuffixes(String text, long count) {
        assertThat(Quantity.count(text)).isEqualTo(count);
    }

    @Test
    void runIdsAreUnsigned() {
        assertThat(new SendOptions.RunIdConverter().convert("ffffffff")).isEqualTo(-1);
        assertThat(SendReport.runId(-1)).isEqualTo("ffffffff");
    }

    @Test
    void unreadableFileIsReportedInOneLine() {
        assertThat(send("--to 127.0.0.1:9 --file /nowhere/lines")).isEqualTo(1);
        assertThat(send("--to 127.0.0.1:9 --pcap /nowhere/pcap")).isEqualTo(1);
        assertThat(err.toString())
                .containsSubsequence(
                        "millrace send: /nowhere/lines does not exist", "millrace send: /nowhere/pcap does not exist")
                .hasLineCount(2);
    }

    @Test
    void countsAndRatesAreParsedWithSuffixes() {
        assertThat(Quantity.count("20k")).isEqualTo(20_000);
        assertThat(Quantity.rate("1.5M")).isEqualByComparingTo("1500000");
        assertThatThrownBy(() -> Quantity.count("1.5"))
                .isInstanceOf(TypeConversionException.class)
                .hasMessage("got '1.5', but accepts an integer from 1 on, such as 5000, 100k or 1.5M");
        assertThatThrownBy(() -> Quantity.rate("max")).hasMessageStartingWith("got 'max', but accepts a rate");
    }
}
