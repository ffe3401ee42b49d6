package io.millrace.bench.jmh;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.message.Filter;
import io.millrace.message.InputRules;
import io.millrace.message.LogRecord;
import java.time.ZoneOffset;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Benchmark of filters, in ns per message, parsing included. {@code -prof gc} shows 0 bytes per operation for all but
 * {@code MATCHES}.
 *
 * <pre>{@code java -jar benchmarks/target/benchmarks.jar FilterBenchmark -prof gc}</pre>
 */
@State(Scope.Thread)
public class FilterBenchmark extends Suite {
    private static final long RECEIVED_NS = 1_795_262_400_000_000_000L;
    private static final String PAIRS =
            "<189>date=2026-11-21 time=10:00:00 devname=\"fw-hq\" devid=\"FG100E0000000001\""
                    + " logid=\"0000000013\" type=\"traffic\" subtype=\"forward\" level=\"notice\" srcip=192.0.2.5 srcport=52814"
                    + " dstip=198.51.100.9 dstport=443 proto=6 action=\"accept\" policyid=12 sentbyte=1500 rcvdbyte=8000";
    private static final String JSON =
            "<14>1 2026-11-21T10:00:00Z web1 api 1 - - {\"level\":\"info\",\"method\":\"GET\","
                    + "\"path\":\"/api/v1/items\",\"client\":{\"ip\":\"192.0.2.5\",\"port\":52814},\"status\":200,\"took_ms\":12.5}";

    /** A message and a filter, which is false. */
    public enum Case {
        /** A field of the header. */
        HEADER(PAIRS, "hostname == \"fw2\""),
        /** A value of a message with 17 pairs. */
        PAIR(PAIRS, "fields.action == \"deny\""),
        /** A number of a JSON message with nine members. */
        JSON_MEMBER(JSON, "fields.status >= 500"),
        /** A member of an object within it. */
        JSON_NESTED(JSON, "fields.client.ip == \"192.0.2.6\""),
        /** A text anywhere, for comparison. */
        CONTAINS(PAIRS, "message contains \"action=\\\"deny\\\"\""),
        /** A regular expression that begins with a text. */
        MATCHES(PAIRS, "message matches \"action=\\\"(deny|drop)\\\"\""),
        /** A regular expression over one value. */
        MATCHES_VALUE(PAIRS, "fields.action matches \"^(deny|drop)$\"");

        private final String message;
        private final String expression;

        Case(String message, String expression) {
            this.message = message;
            this.expression = expression;
        }
    }

    /** The message and the filter. */
    @Param
    @SuppressWarnings("NullAway.Init") // Set by JMH.
    private Case of;

    private final LogRecord record = LogRecord.of(new InputRules(ZoneOffset.UTC, false));

    @SuppressWarnings("NullAway.Init") // Set by prepare.
    private Filter filter;

    private byte[] bytes = new byte[0];

    /** Compiles the filter. */
    @Setup
    public void prepare() {
        bytes = of.message.getBytes(UTF_8);
        filter = Filter.compile(of.expression);
    }

    /** Parses and filters. */
    @Benchmark
    public boolean filter() {
        return filter.matches(record.wrap(bytes, 0, bytes.length, RECEIVED_NS));
    }
}
