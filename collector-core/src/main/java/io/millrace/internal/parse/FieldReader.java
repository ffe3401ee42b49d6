package io.millrace.internal.parse;

import io.millrace.internal.fields.Escaping;
import io.millrace.internal.fields.FieldTable;
import io.millrace.internal.fields.JsonReader;
import io.millrace.internal.fields.PairReader;
import io.millrace.message.SyslogMessage.Field;

/** Reads the named values of a message at most once, when something asks for them. One thread. */
final class FieldReader {
    private final FieldTable body = new FieldTable();
    private final FieldTable structured = new FieldTable();
    private final JsonReader json = new JsonReader();
    private final Extension extension = new Extension();
    private final StructuredData data = new StructuredData();
    private boolean bodyRead;
    private boolean structuredRead;

    void reset() {
        bodyRead = false;
        structuredRead = false;
    }

    /** Reads an object as the body. */
    FieldTable json(byte[] b, int begin, int end) {
        json.read(b, begin, end, body);
        bodyRead = true;
        return body;
    }

    FieldTable body(ParsedMessage message) {
        if (!bodyRead) {
            readBody(message);
            bodyRead = true;
        }
        return body;
    }

    FieldTable structured(ParsedMessage message) {
        if (!structuredRead) {
            readStructured(message);
            structuredRead = true;
        }
        return structured;
    }

    private void readBody(ParsedMessage message) {
        byte[] b = message.bytes;
        int begin = Math.max(0, message.begin(Field.MESSAGE));
        int end = Math.max(0, message.end(Field.MESSAGE));
        switch (message.body()) {
            case JSON -> json.read(b, begin, end, body);
            // Read by the parser.
            case GELF -> {}
            case TEXT, KEY_VALUE -> PairReader.read(b, begin, end, body);
            case CSV -> body.clear(b);
            case CEF, LEEF -> {
                body.clear(b);
                extension.wrap(message);
                while (extension.next()) {
                    body.add(
                            extension.nameBegin(),
                            extension.nameEnd(),
                            extension.valueBegin(),
                            extension.valueEnd(),
                            extension.isEscaped() ? Escaping.CEF : Escaping.NONE);
                }
            }
        }
    }

    private void readStructured(ParsedMessage message) {
        structured.clear(message.bytes);
        data.wrap(message);
        while (data.nextElement()) {
            int element = structured.add(-1, data.nameBegin(), data.nameEnd(), Escaping.NONE);
            while (element >= 0 && data.nextParameter()) {
                int parameter = structured.add(element, data.nameBegin(), data.nameEnd(), Escaping.NONE);
                if (parameter >= 0) {
                    Escaping escaping = data.isEscaped() ? Escaping.STRUCTURED : Escaping.NONE;
                    structured.set(parameter, FieldTable.Type.TEXT, data.valueBegin(), data.valueEnd(), escaping);
                }
            }
        }
    }
}
