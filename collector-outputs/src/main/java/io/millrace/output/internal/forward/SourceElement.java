package io.millrace.output.internal.forward;

import io.millrace.internal.format.template.TemplateFormat;
import io.millrace.message.LineBuffer;
import io.millrace.message.LogRecord;
import java.util.Arrays;

/**
 * The structured data element with the source of a message: {@code [millrace@32473 source="192.0.2.1" port="514"
 * input="syslog" shard="0" sequence="42"]}, and the {@code part} of a split datagram. 32473 is the enterprise number
 * for documentation (RFC 5612), because Millrace has none, and RFC 5424 section 7 reserves names without one.
 *
 * <p>A sender may write such an element as well. An existing one becomes {@code [previous@32473 …]}: from another
 * collector it is that one's source, and it is as trustworthy as its sender. One thread.
 */
final class SourceElement {
    private static final String ID = "millrace@32473";
    private static final byte[] ID_BYTES = SyslogEncoder.ascii(ID);
    private static final byte[] PREVIOUS_BYTES = SyslogEncoder.ascii("previous@32473");

    private final TemplateFormat before =
            TemplateFormat.of("[" + ID + " source=\"{source_ip}\" port=\"{source_port}\" input=\"");
    private final TemplateFormat input = TemplateFormat.of("{input}");
    private final TemplateFormat after = TemplateFormat.of("\" shard=\"{shard}\" sequence=\"{sequence}\"]");
    private final TemplateFormat afterWithPart =
            TemplateFormat.of("\" shard=\"{shard}\" sequence=\"{sequence}\" part=\"{part}\"]");
    private final LineBuffer value = new LineBuffer();
    private final byte[] escaped = {'\\', 0};

    /** Appends the element; nothing for a record without a source. */
    void write(LogRecord record, LineBuffer out) {
        if (record.datagram() == null) {
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

    /** Appends the elements of a message after this one; names stay unique (RFC 5424 section 6.3.2). */
    static void appendOthers(byte[] b, int begin, int end, LineBuffer out) {
        boolean claimed = false;
        for (int i = begin; i < end && b[i] == '['; i = elementEnd(b, i, end)) {
            claimed |= isNamed(b, i, end, ID_BYTES);
        }
        boolean renamed = false;
        for (int i = begin; i < end && b[i] == '['; ) {
            int next = elementEnd(b, i, end);
            if (isNamed(b, i, next, ID_BYTES)) {
                if (!renamed) {
                    out.append(b, i, i + 1).append(PREVIOUS_BYTES, 0, PREVIOUS_BYTES.length);
                    out.append(b, i + 1 + ID_BYTES.length, next);
                }
                renamed = true;
            } else if (!claimed || !isNamed(b, i, next, PREVIOUS_BYTES)) {
                out.append(b, i, next);
            }
            i = next;
        }
    }

    private static boolean isNamed(byte[] b, int begin, int end, byte[] name) {
        int nameEnd = begin + 1 + name.length;
        return nameEnd < end
                && Arrays.equals(b, begin + 1, nameEnd, name, 0, name.length)
                && (b[nameEnd] == ' ' || b[nameEnd] == ']');
    }

    /** The end of structured data that begins at a position: elements, or a dash. */
    static int dataEnd(byte[] b, int begin, int end) {
        int i = begin;
        while (i < end && b[i] == '[') {
            i = elementEnd(b, i, end);
        }
        return i == begin ? Math.min(begin + 1, end) : i;
    }

    private static int elementEnd(byte[] b, int begin, int end) {
        boolean quoted = false;
        for (int i = begin + 1; i < end; i++) {
            if (quoted && b[i] == '\\') {
                i++;
            } else if (b[i] == '"') {
                quoted = !quoted;
            } else if (!quoted && b[i] == ']') {
                return i + 1;
            }
        }
        return end;
    }
}
