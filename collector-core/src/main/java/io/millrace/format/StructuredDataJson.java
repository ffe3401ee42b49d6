package io.millrace.format;

import io.millrace.parse.StructuredData;
import io.millrace.parse.SyslogMessage;

/**
 * Structured data as JSON: {@code {"id":{"name":"value"}}}. A parameter that an element has several times, which RFC 5424
 * section 6.3.3 allows, becomes an array, and elements of the same id become one: names in a JSON object are there once. With
 * more than {@value NamedValues#MOST} elements or parameters, which no device sends, all are written as they come. One thread.
 */
final class StructuredDataJson {
    private final StructuredData data = new StructuredData();
    private final Names elements = new Names(NamedValues.MOST);
    private final NamedValues parameters = new NamedValues(StructuredData::unescape);

    /** Writes the structured data of a message that has some. */
    void write(SyslogMessage message, LineBuffer out) {
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

    /** Notes where everything is; false if there is too much of it. */
    private boolean gather(SyslogMessage message) {
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

    private void asItComes(SyslogMessage message, LineBuffer out) {
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
