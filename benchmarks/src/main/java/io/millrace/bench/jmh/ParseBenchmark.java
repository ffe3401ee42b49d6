package io.millrace.bench.jmh;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.internal.format.JsonFormat;
import io.millrace.internal.parse.ParsedMessage;
import io.millrace.internal.parse.SyslogParser;
import io.millrace.message.Filter;
import io.millrace.message.InputRules;
import io.millrace.message.Kind;
import io.millrace.message.LineBuffer;
import io.millrace.message.LogRecord;
import java.time.ZoneOffset;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Benchmark of the parser with messages of about 125 bytes, in ns per message. {@code -prof gc} shows 0 bytes per operation.
 *
 * <pre>{@code java -jar benchmarks/target/benchmarks.jar ParseBenchmark -prof gc}</pre>
 */
@State(Scope.Thread)
public class ParseBenchmark extends Suite {
    private static final long RECEIVED_NS = 1_795_262_400_000_000_000L;

    /** The sample messages. */
    public enum Sample {
        /** RFC 5424 without structured data. */
        RFC5424("<86>1 2026-11-21T10:00:00.123456Z web1.example.com sshd 4711 - - Accepted publickey for deploy from"
                + " 192.0.2.10 port 52814 ssh2"),
        /** RFC 5424 with structured data. */
        STRUCTURED("<165>1 2003-10-11T22:14:15.003Z mymachine evntslog - ID47 [exampleSDID@32473 iut=\"3\""
                + " eventSource=\"App\" eventID=\"1011\"] An event"),
        /** RFC 3164. */
        RFC3164("<86>Nov 21 10:00:00 web1.example.com sshd[4711]: Accepted publickey for deploy from 192.0.2.10 port"
                + " 52814 ssh2: RSA SHA256:x8y"),
        /** Cisco IOS. */
        CISCO("<189>000123: router1: Nov 21 10:00:00.123 UTC: %LINEPROTO-5-UPDOWN: Line protocol on Interface"
                + " GigabitEthernet0/1, changed state");

        private final String text;

        Sample(String text) {
            this.text = text;
        }
    }

    /** The sample. */
    @Param
    @SuppressWarnings("NullAway.Init") // Set by JMH.
    private Sample sample;

    private final SyslogParser parser = new SyslogParser(ZoneOffset.UTC);
    private final ParsedMessage message = new ParsedMessage();
    private final LogRecord record = LogRecord.of(new InputRules(ZoneOffset.UTC, false));
    private final JsonFormat json = new JsonFormat();
    private final LineBuffer line = new LineBuffer();
    private final Filter filter = Filter.compile("severity <= err and message contains \"denied\"");
    private byte[] bytes = new byte[0];

    /** Encodes the sample. */
    @Setup
    public void encode() {
        bytes = sample.text.getBytes(UTF_8);
    }

    /** Parses header and structured data to offsets. */
    @Benchmark
    public Kind parse() {
        return parser.parse(bytes, 0, bytes.length, RECEIVED_NS, message);
    }

    /** Parses and filters with two conditions. */
    @Benchmark
    public boolean filter() {
        return filter.matches(record.wrap(bytes, 0, bytes.length, RECEIVED_NS));
    }

    /** Parses and writes a line of JSON. */
    @Benchmark
    public int json() {
        line.clear();
        json.write(record.wrap(bytes, 0, bytes.length, RECEIVED_NS), line);
        return line.length();
    }
}
