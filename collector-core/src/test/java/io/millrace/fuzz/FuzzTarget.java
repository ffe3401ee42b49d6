package io.millrace.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.filter.Filter;
import io.millrace.format.InputRules;
import io.millrace.format.JsonFormat;
import io.millrace.format.LineBuffer;
import io.millrace.format.LineFormat;
import io.millrace.format.LogRecord;
import io.millrace.format.LogfmtFormat;
import io.millrace.format.RawFormat;
import io.millrace.format.Rfc5424Format;
import io.millrace.format.TemplateFormat;
import io.millrace.parse.ParserChecks;
import io.millrace.parse.Samples;
import io.millrace.parse.SyslogMessage;
import io.millrace.parse.SyslogParser;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What is fuzzed: see {@link FuzzRun}. */
abstract class FuzzTarget {
    /** Bytes are a message, or lines of them. */
    static final class Parser extends FuzzTarget {
        Parser() {
            super("parser");
        }

        private final ParserChecks checks = new ParserChecks();

        @Override
        void take(byte[] bytes) {
            checks.check(bytes, bytes.length);
        }

        @Override
        List<byte[]> seeds() throws IOException {
            List<byte[]> seeds = new ArrayList<>(Samples.all());
            seeds.add("<13>a: one\n<13>1 - - - - - - two\r\n\n\0\nCEF:0|v|p|1|1|n|5|a=b\\= c=d\n".getBytes(UTF_8));
            return seeds;
        }
    }

    /** The first line is an expression, the rest a message. */
    static final class Filters extends FuzzTarget {
        Filters() {
            super("filter");
        }

        private final LogRecord record = new LogRecord(new SyslogParser(ZoneOffset.UTC));

        @Override
        void take(byte[] bytes) {
            int end = lineEnd(bytes);
            String expression = new String(bytes, 0, end, UTF_8);
            Filter filter;
            try {
                filter = Filter.compile(expression);
            } catch (IllegalArgumentException e) {
                that(String.valueOf(e.getMessage()).startsWith("column "), e.getMessage());
                return;
            }
            record.wrap(bytes, Math.min(end + 1, bytes.length), bytes.length, NOW_NS);
            boolean first = filter.matches(record);
            that(filter.matches(record) == first, expression);
        }

        @Override
        List<byte[]> seeds() throws IOException {
            return beforeSamples(List.of(
                    "severity <= err and hostname == \"fw1\"",
                    "not (facility in [auth, authpriv, local0] or message contains \"denied\")",
                    "source_ip in 10.0.0.0/8 or source_ip in 2001:db8::/32",
                    "receive_time >= \"2026-11-21T10:00:00Z\" and sequence < 1000",
                    "parse == \"vendor:cisco\" or appname startswith \"%ASA\"",
                    "procid == 42 and truncated == true",
                    "extension.src == \"192.0.2.5\" or extension.act in [\"deny\", \"drop\"] and not extension.cs1",
                    "extension.msg != \"a\" and part == 0 or extension.request contains \"=\"",
                    "raw matches \"a.*b\""));
        }
    }

    /** The first line is a template, the rest a message that is written in all formats. */
    static final class Format extends FuzzTarget {
        Format() {
            super("format");
        }

        private final LogRecord record = new LogRecord(new InputRules(ZoneOffset.UTC, false), Map.of(), true);
        private final SyslogParser parser = new SyslogParser(ZoneOffset.UTC);
        private final SyslogMessage again = new SyslogMessage();
        private final ObjectMapper json = new ObjectMapper();
        private final LineFormat jsonFormat = new JsonFormat();
        private final LineFormat logfmt = new LogfmtFormat();
        private final LineFormat rfc5424 = new Rfc5424Format();
        private final LineFormat raw = new RawFormat();

        @Override
        void take(byte[] bytes) {
            int end = lineEnd(bytes);
            int begin = Math.min(end + 1, bytes.length);
            record.wrap(bytes, begin, bytes.length, NOW_NS);
            boolean ended = begin < bytes.length && bytes[bytes.length - 1] == '\n';
            that(written(raw).length == bytes.length - begin + (ended ? 0 : 1), "raw");
            String object = line(jsonFormat);
            try {
                var tree = json.readTree(object);
                that(tree.isObject() && tree.hasNonNull("parse"), object);
            } catch (IOException e) {
                throw new AssertionError(object, e);
            }
            line(logfmt);
            byte[] syslog = line(rfc5424).getBytes(UTF_8);
            parser.parse(syslog, 0, syslog.length, NOW_NS, again);
            SyslogMessage message = record.message();
            that(again.version() == 1, new String(syslog, UTF_8));
            that(again.facility() == message.facility() && again.severity() == message.severity(), "priority");
            try {
                // A template's own text may hold control characters; then so does the line.
                String template = new String(bytes, 0, end, UTF_8);
                LineFormat format = TemplateFormat.of(template);
                if (template.chars().anyMatch(Character::isISOControl)) {
                    written(format);
                } else {
                    line(format);
                }
            } catch (IllegalArgumentException e) {
                that(String.valueOf(e.getMessage()).startsWith("column "), e.getMessage());
            }
        }

        private String line(LineFormat format) {
            String text = new String(written(format), UTF_8);
            int last = text.length() - 1;
            that(text.indexOf('\n') == last, text);
            that(
                    text.chars().limit(last).noneMatch(c -> c < ' ' || (c >= 0x7f && c < 0xa0 && format != jsonFormat)),
                    text);
            return text;
        }

        private byte[] written(LineFormat format) {
            LineBuffer out = new LineBuffer();
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            format.write(record, out);
            try {
                out.writeTo(bytes);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return bytes.toByteArray();
        }

        @Override
        List<byte[]> seeds() throws IOException {
            return beforeSamples(List.of(
                    "{timestamp} {hostname} {appname}[{procid}]: {message}",
                    "{{{severity}}} {facility} {msgid} {structured_data} {raw}",
                    "{receive_time}\t{source_ip}:{source_port} {input} {shard}:{sequence} {parse}"));
        }
    }

    private static final long NOW_NS = 1_795_262_400_000_000_000L;

    private final String name;

    FuzzTarget(String name) {
        this.name = name;
    }

    static List<FuzzTarget> all() {
        return List.of(new Parser(), new Filters(), new Format());
    }

    static FuzzTarget of(String name) {
        return all().stream()
                .filter(target -> target.name.equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public final String toString() {
        return name;
    }

    /** Looks at what is made of the bytes; throws if something is wrong. */
    abstract void take(byte[] bytes);

    /** What to begin with. */
    abstract List<byte[]> seeds() throws IOException;

    private static int lineEnd(byte[] bytes) {
        int end = 0;
        while (end < bytes.length && bytes[end] != '\n') {
            end++;
        }
        return end;
    }

    private static List<byte[]> beforeSamples(List<String> firstLines) throws IOException {
        List<byte[]> seeds = new ArrayList<>();
        int i = 0;
        for (byte[] sample : Samples.all()) {
            byte[] line = (firstLines.get(i++ % firstLines.size()) + "\n").getBytes(UTF_8);
            byte[] seed = new byte[line.length + sample.length];
            System.arraycopy(line, 0, seed, 0, line.length);
            System.arraycopy(sample, 0, seed, line.length, sample.length);
            seeds.add(seed);
        }
        return seeds;
    }

    private static void that(boolean right, String what) {
        if (!right) {
            throw new AssertionError(what);
        }
    }
}
