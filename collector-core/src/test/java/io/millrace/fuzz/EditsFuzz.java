package io.millrace.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.internal.edit.AddressPseudonyms;
import io.millrace.internal.edit.Editor;
import io.millrace.internal.edit.MessageEdit;
import io.millrace.internal.edit.Redaction;
import io.millrace.internal.edit.RemoveField;
import io.millrace.internal.edit.RenameField;
import io.millrace.internal.edit.SetField;
import io.millrace.internal.edit.Truncation;
import io.millrace.internal.format.JournalRecord;
import io.millrace.internal.format.JsonFormat;
import io.millrace.internal.format.LogfmtFormat;
import io.millrace.internal.format.Rfc5424Format;
import io.millrace.internal.parse.FieldName;
import io.millrace.message.Edit;
import io.millrace.message.InputRules;
import io.millrace.message.LineBuffer;
import io.millrace.message.LineFormat;
import java.io.IOException;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The first line is edits, with blanks between, the rest a message: {@code set:FIELD:TO}, {@code rename:FIELD:TO}, {@code remove:FIELD}, {@code
 * truncate:FIELD:BYTES}, {@code redact:PATTERN:FIELD}, {@code secrets} or {@code addresses}. Each is an edit with an error or none. What was
 * removed last is in no field, what is written is JSON, and the message itself is as it was.
 */
public final class EditsFuzz extends FuzzTarget {
    private static final int MAX_EDITS = 8;

    private final JournalRecord record = new JournalRecord(new InputRules(ZoneOffset.UTC, false), Map.of(), true);
    private final ObjectMapper json = new ObjectMapper();
    private final LineFormat jsonFormat = new JsonFormat();
    private final List<LineFormat> others = List.of(JsonFormat.flat(), new LogfmtFormat(), new Rfc5424Format());

    /** Made by name. */
    public EditsFuzz() {
        super("edits");
    }

    @Override
    protected void take(byte[] bytes) {
        int end = MessageInput.lineEnd(bytes);
        List<Edit> edits = new ArrayList<>();
        String last = "";
        try {
            for (String text : new String(bytes, 0, end, UTF_8).split(" ", MAX_EDITS)) {
                edits.add(edit(text));
                last = text;
            }
        } catch (IllegalArgumentException e) {
            that(e.getMessage() != null, "an error says what is wrong");
            return;
        }
        byte[] before = bytes.clone();
        record.wrap(bytes, Math.min(end + 1, bytes.length), bytes.length, MessageInput.NOW_NS);
        Editor editor = new Editor(edits, true);
        JournalRecord edited;
        String object;
        try {
            edited = editor.edit(record);
            object = line(jsonFormat, edited);
        } catch (IllegalArgumentException e) {
            that(e.getMessage() != null, "an error says why");
            return;
        }
        that(Arrays.equals(bytes, before), "the message is changed");
        try {
            that(json.readTree(object).isObject(), object);
        } catch (IOException e) {
            throw new AssertionError(object, e);
        }
        others.forEach(format -> line(format, edited));
        if (last.startsWith("remove:")) {
            FieldName name = FieldName.of(last.substring("remove:".length()));
            that(name == null || !name.isIn(edited.message()), last);
        }
        that(line(jsonFormat, editor.edit(record)).equals(object), "the same edits have the same result");
    }

    private static String line(LineFormat format, JournalRecord record) {
        LineBuffer out = new LineBuffer();
        format.write(record, out);
        String text = new String(out.array(), 0, out.length(), UTF_8);
        that(text.indexOf('\n') == text.length() - 1, text);
        return text;
    }

    private static MessageEdit edit(String text) {
        String[] parts = text.split(":", 3);
        String field = parts.length > 1 ? parts[1] : "message";
        String value = parts.length > 2 ? parts[2] : "";
        return switch (parts[0]) {
            case "set" -> SetField.of(field, value);
            case "rename" -> RenameField.of(field, value);
            case "remove" -> RemoveField.of(field);
            case "truncate" -> Truncation.of(field, value.matches("\\d{1,4}") ? Integer.parseInt(value) : 1);
            case "redact" -> Redaction.of(field, Redaction.WITH, value.isEmpty() ? null : value);
            case "secrets" -> Redaction.of(Edit.Preset.SECRETS, null, null);
            case "addresses" -> AddressPseudonyms.of("0123456789abcdef", null);
            default -> throw new IllegalArgumentException("no edit " + Objects.toString(parts[0]));
        };
    }

    @Override
    protected List<byte[]> seeds() throws IOException {
        return MessageInput.beforeSamples(List.of(
                "set:hostname:{hostname}-{fields.src} redact:a+",
                "set:fields.a.b:{message} rename:fields.a:fields.c remove:fields.c.b",
                "addresses set:severity:{fields.level} remove:hostname",
                "rename:fields.src:fields.source.ip set:fields.source.x:1 remove:fields.source",
                "set:fields.x:y remove:fields.x truncate:message:20 secrets",
                "remove:structured_data remove:message set:facility:3 set:procid:{pid}",
                "rename:sd.exampleSDID@32473.iut:sd.exampleSDID@32473.x remove:sd.exampleSDID@32473.eventID",
                "set:message:{message}{fields.msg} truncate:message:8 redact:\\w+:message",
                "redact:[0-9]:fields.src set:msgid:{fields.act} redact:e",
                "truncate:hostname:3 truncate:appname:2 set:appname:{appname}x"));
    }
}
