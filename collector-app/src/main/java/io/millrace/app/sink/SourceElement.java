package io.millrace.app.sink;

import io.millrace.format.LineBuffer;
import io.millrace.format.LogRecord;
import io.millrace.format.TemplateFormat;
import io.millrace.parse.StructuredData;
import java.util.Arrays;

/**
 * The element of structured data that says where a message came from: {@code [millrace@32473 source="192.0.2.1" port="514"
 * input="syslog" shard="0" sequence="42"]}, and the {@code part} of a datagram that was split. 32473 is the enterprise number for documentation (RFC 5612): Millrace has none
 * of its own, and RFC 5424 section 7 leaves names without one to IANA. One thread.
 */
final class SourceElement {
    private static final String ID = "millrace@32473";
    private static final byte[] ID_BYTES = SyslogEncoder.ascii(ID);

    private final TemplateFormat before =
            TemplateFormat.of("[" + ID + " source=\"{source_ip}\" port=\"{source_port}\" input=\"");
    private final TemplateFormat input = TemplateFormat.of("{input}");
    private final TemplateFormat after = TemplateFormat.of("\" shard=\"{shard}\" sequence=\"{sequence}\"]");
    private final TemplateFormat afterWithPart =
            TemplateFormat.of("\" shard=\"{shard}\" sequence=\"{sequence}\" part=\"{part}\"]");
    private final LineBuffer value = new LineBuffer();
    private final byte[] escaped = {'\\', 0};
    private final StructuredData present = new StructuredData();

    /**
     * Appends the element. Nothing if the message has one already: no name may stand there twice (RFC 5424 section 6.3.2),
     * and what the first collector on the way saw is nearer to the truth.
     */
    void write(LogRecord record, LineBuffer out) {
        if (record.datagram() == null || isPresent(record)) {
            return;
        }
        before.write(record, out);
        out.end(out.length() - 1);
        value.clear();
        input.write(record, value);
        byte[] b = value.array();
        for (int i = 0; i < value.length() - 1; i++) {
            if (b[i] == '"' || b[i] == '\\' || b[i] == ']') {
                escaped[1] = b[i];
                out.append(escaped, 0, 2);
            } else {
                out.append(b, i, i + 1);
            }
        }
        (record.isPart() ? afterWithPart : after).write(record, out);
        out.end(out.length() - 1);
    }

    private boolean isPresent(LogRecord record) {
        byte[] b = record.message().bytes();
        present.wrap(record.message());
        while (present.nextElement()) {
            if (Arrays.equals(b, present.nameBegin(), present.nameEnd(), ID_BYTES, 0, ID_BYTES.length)) {
                return true;
            }
        }
        return false;
    }
}
