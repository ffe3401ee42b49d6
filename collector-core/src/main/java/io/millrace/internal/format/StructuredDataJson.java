package io.millrace.internal.format;

import io.millrace.internal.parse.ParsedMessage;
import io.millrace.internal.parse.StructuredData;
import io.millrace.message.LineBuffer;

/**
 * Formatter of structured data as JSON: {@code {"id":{"name":"value"}}}. A repeated parameter, which RFC 5424 section
 * 6.3.3 allows, becomes an array. Elements with the same id become one, so names are unique. With more than {@value
 * NamedValues#MAX} elements or parameters, names may repeat; no known device sends that many. The flat form is a list.
 * One thread.
 */
final class StructuredDataJson {
    private final StructuredData data = new StructuredData();
    private final Names elements = new Names(NamedValues.MAX);
    private final NamedValues parameters = new NamedValues(StructuredData::unescape);

    void write(ParsedMessage message, boolean flat, LineBuffer out) {
        if (flat) {
            list(message, out);
            return;
        }
        if (!gather(message)) {
            asItComes(message, out);
            return;
        }
        byte[] b = message.bytes();
        out.put('{');
        for (int element = 0; element < elements.count(); element++) {
            out.ascii(element == 0 ? "" : ",");
            JsonFormat.string(b, elements.begin(element), elements.end(element), out);
            out.put(':');
            parameters.write(b, element, out);
        }
        out.put('}');
    }

    /** Collects all elements and parameters; returns false if there are too many. */
    private boolean gather(ParsedMessage message) {
        elements.clear();
        parameters.clear();
        data.wrap(message);
        while (data.nextElement()) {
            int element = elements.find(message.bytes(), 0, data.nameBegin(), data.nameEnd());
            if (element < 0 && elements.isFull()) {
                return false;
            }
            element = element < 0 ? elements.add(data.nameBegin(), data.nameEnd()) : element;
            while (data.nextParameter()) {
                if (parameters.isFull()) {
                    return false;
                }
                parameters.add(
                        element,
                        data.nameBegin(),
                        data.nameEnd(),
                        data.valueBegin(),
                        data.valueEnd(),
                        data.isEscaped());
            }
        }
        return true;
    }

    private void list(ParsedMessage message, LineBuffer out) {
        byte[] b = message.bytes();
        out.put('[');
        data.wrap(message);
        boolean first = true;
        while (data.nextElement()) {
            int idBegin = data.nameBegin();
            int idEnd = data.nameEnd();
            boolean empty = true;
            while (data.nextParameter()) {
                id(b, idBegin, idEnd, first, out);
                out.ascii(",\"name\":");
                JsonFormat.string(b, data.nameBegin(), data.nameEnd(), out);
                out.ascii(",\"value\":");
                parameters.value(b, data.valueBegin(), data.valueEnd(), data.isEscaped(), out);
                out.put('}');
                first = false;
                empty = false;
            }
            if (empty) {
                id(b, idBegin, idEnd, first, out);
                out.put('}');
                first = false;
            }
        }
        out.put(']');
    }

    private static void id(byte[] b, int begin, int end, boolean first, LineBuffer out) {
        out.ascii(first ? "{\"id\":" : ",{\"id\":");
        JsonFormat.string(b, begin, end, out);
    }

    private void asItComes(ParsedMessage message, LineBuffer out) {
        byte[] b = message.bytes();
        out.put('{');
        data.wrap(message);
        for (boolean first = true; data.nextElement(); first = false) {
            out.ascii(first ? "" : ",");
            JsonFormat.string(b, data.nameBegin(), data.nameEnd(), out);
            out.ascii(":{");
            for (boolean firstOne = true; data.nextParameter(); firstOne = false) {
                out.ascii(firstOne ? "" : ",");
                JsonFormat.string(b, data.nameBegin(), data.nameEnd(), out);
                out.put(':');
                parameters.value(b, data.valueBegin(), data.valueEnd(), data.isEscaped(), out);
            }
            out.put('}');
        }
        out.put('}');
    }
}
