package io.millrace.format;

import io.millrace.parse.Extension;
import io.millrace.parse.SyslogMessage;

/**
 * Formatter of a CEF or LEEF extension as JSON: {@code {"src":"192.0.2.5","act":"deny"}}. A repeated key becomes an
 * array. With more than {@value NamedValues#MAX} keys, repeated keys are written as they are. One thread.
 */
final class ExtensionJson {
    private final Extension extension = new Extension();
    private final NamedValues values = new NamedValues(Extension::unescape);

    /** Writes the extension of a message as a member of an object; writes nothing if there is none. */
    void write(byte[] key, SyslogMessage message, boolean flat, LineBuffer out) {
        if (flat) {
            list(key, message, out);
            return;
        }
        byte[] b = message.bytes();
        values.clear();
        extension.wrap(message);
        while (extension.next()) {
            if (values.isFull()) {
                out.append(key);
                asItComes(message, out);
                return;
            }
            values.add(
                    0,
                    extension.nameBegin(),
                    extension.nameEnd(),
                    extension.valueBegin(),
                    extension.valueEnd(),
                    extension.isEscaped());
        }
        if (!values.isEmpty()) {
            out.append(key);
            values.write(b, 0, out);
        }
    }

    private void list(byte[] key, SyslogMessage message, LineBuffer out) {
        byte[] b = message.bytes();
        extension.wrap(message);
        boolean first = true;
        while (extension.next()) {
            if (first) {
                out.append(key).put('[');
            }
            out.ascii(first ? "{\"name\":" : ",{\"name\":");
            JsonFormat.string(b, extension.nameBegin(), extension.nameEnd(), out);
            out.ascii(",\"value\":");
            values.value(b, extension.valueBegin(), extension.valueEnd(), extension.isEscaped(), out);
            out.put('}');
            first = false;
        }
        out.ascii(first ? "" : "]");
    }

    private void asItComes(SyslogMessage message, LineBuffer out) {
        byte[] b = message.bytes();
        extension.wrap(message);
        out.put('{');
        for (boolean first = true; extension.next(); first = false) {
            out.ascii(first ? "" : ",");
            JsonFormat.string(b, extension.nameBegin(), extension.nameEnd(), out);
            out.put(':');
            values.value(b, extension.valueBegin(), extension.valueEnd(), extension.isEscaped(), out);
        }
        out.put('}');
    }
}
