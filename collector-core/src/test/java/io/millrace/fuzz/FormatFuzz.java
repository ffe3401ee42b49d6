package io.millrace.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.internal.format.JournalRecord;
import io.millrace.internal.format.JsonFormat;
import io.millrace.internal.format.LogfmtFormat;
import io.millrace.internal.format.RawFormat;
import io.millrace.internal.format.Rfc5424Format;
import io.millrace.internal.format.template.TemplateFormat;
import io.millrace.internal.parse.ParsedMessage;
import io.millrace.internal.parse.SyslogParser;
import io.millrace.message.InputRules;
import io.millrace.message.LineBuffer;
import io.millrace.message.LineFormat;
import io.millrace.message.SyslogMessage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;

/** The first line is a template, the rest a message that is written in all formats. */
public final class FormatFuzz extends FuzzTarget {
    private final JournalRecord record = new JournalRecord(new InputRules(ZoneOffset.UTC, false), Map.of(), true);
    private final SyslogParser parser = new SyslogParser(ZoneOffset.UTC);
    private final ParsedMessage again = new ParsedMessage();
    private final ObjectMapper json = new ObjectMapper();
    private final LineFormat jsonFormat = new JsonFormat();
    private final LineFormat logfmt = new LogfmtFormat();
    private final LineFormat rfc5424 = new Rfc5424Format();
    private final LineFormat raw = new RawFormat();
    private final LineFormat asJson =
            TemplateFormat.of("{{\"message\":{message:json},\"raw\":{raw:json},\"time\":{timestamp:json}}}");
    private final LineFormat asPlain = TemplateFormat.of("{raw}");
    private final LineFormat asCsv = TemplateFormat.of("{raw:csv}");

    /** Made by name. */
    public FormatFuzz() {
        super("format");
    }

    @Override
    protected void take(byte[] bytes) {
        int end = MessageInput.lineEnd(bytes);
        int begin = Math.min(end + 1, bytes.length);
        record.wrap(bytes, begin, bytes.length, MessageInput.NOW_NS);
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
        parser.parse(syslog, 0, syslog.length, MessageInput.NOW_NS, again);
        ParsedMessage message = record.message();
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
        valuesCanBeRead();
    }

    /** Whatever a message holds: what is written as JSON and as CSV is read as the same text. */
    private void valuesCanBeRead() {
        String object = line(asJson);
        try {
            var tree = json.readTree(object);
            that(tree.get("message").isNull() == (record.message().begin(SyslogMessage.Field.MESSAGE) < 0), object);
            that(tree.get("raw").isTextual() && tree.get("time").isTextual(), object);
        } catch (IOException e) {
            throw new AssertionError(object, e);
        }
        String plain = line(asPlain);
        String csv = line(asCsv);
        String value = csv.substring(0, csv.length() - 1);
        if (value.startsWith("\"")) {
            that(value.length() >= 2 && value.endsWith("\""), csv);
            String inner = value.substring(1, value.length() - 1);
            that(!inner.replace("\"\"", "").contains("\""), csv);
            value = inner.replace("\"\"", "\"");
        } else {
            that(!value.contains(",") && !value.contains("\""), csv);
        }
        that(plain.equals(value + "\n"), csv);
    }

    private String line(LineFormat format) {
        String text = new String(written(format), UTF_8);
        int last = text.length() - 1;
        that(text.indexOf('\n') == last, text);
        that(text.chars().limit(last).noneMatch(c -> c < ' ' || (c >= 0x7f && c < 0xa0 && format != jsonFormat)), text);
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
    protected List<byte[]> seeds() throws IOException {
        return MessageInput.beforeSamples(List.of(
                "{timestamp} {hostname} {appname}[{procid}]: {message}",
                "{hostname|unknown}{#procid}[{procid}]{/procid}{^fields.a}none{#msgid}{msgid:csv}{/msgid}{/fields.a}",
                "{{\"t\":{timestamp:epoch-ms},\"m\":{message:json},\"f\":{fields.\"a:b\":json|none}}}",
                "{timestamp:%F %T.%3N %a %b %e %j %y %s %z%%},{receive_time:rfc3339:csv},{receive_time:epoch-ns}",
                "{timestamp:%B %A %6N|-}{raw:csv},{sd.a.b:json}",
                "{{{severity}}} {facility} {msgid} {structured_data} {raw}",
                "{receive_time}\t{source_ip}:{source_port} {input} {shard}:{sequence} {parse}"));
    }
}
