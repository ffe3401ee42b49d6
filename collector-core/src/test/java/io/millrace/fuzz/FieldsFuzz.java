package io.millrace.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.millrace.internal.fields.FieldTable;
import io.millrace.internal.fields.JsonReader;
import io.millrace.internal.fields.PairReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.List;

/** Text whose fields are read as JSON and as pairs. JSON is valid for the reader if it is for Jackson. */
public final class FieldsFuzz extends FuzzTarget {
    private final ObjectMapper jackson = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();
    private final JsonReader reader = new JsonReader();
    private final FieldTable table = new FieldTable();

    /** Made by name. */
    public FieldsFuzz() {
        super("fields");
        jackson.getFactory()
                .setStreamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(JsonReader.MAX_DEPTH)
                        .build());
    }

    @Override
    protected void take(byte[] bytes) {
        boolean valid = reader.read(bytes, 0, bytes.length, table);
        that(valid || table.count() == 0, "fields of what is no JSON");
        check(bytes);
        if (isUtf8(bytes)) {
            that(valid == isObject(bytes), valid + ": " + new String(bytes, UTF_8));
        }
        PairReader.read(bytes, 0, bytes.length, table);
        check(bytes);
    }

    /** Each field is found by its path, and lies in the bytes. */
    private void check(byte[] bytes) {
        that(table.count() <= FieldTable.MAX_FIELDS, "number of fields");
        for (int i = 0; i < table.count(); i++) {
            table.value(i);
            that(table.plainBegin() <= table.plainEnd() && table.plainEnd() <= bytes.length, "value");
            ByteArrayOutputStream path = new ByteArrayOutputStream();
            path(i, path);
            if (table.type(i) != FieldTable.Type.NULL) {
                that(table.has(path.toByteArray()), "path " + path.toString(UTF_8));
            }
        }
    }

    private void path(int field, ByteArrayOutputStream out) {
        if (table.parent(field) >= 0) {
            path(table.parent(field), out);
            out.write('.');
        }
        table.name(field);
        out.write(table.plainBytes(), table.plainBegin(), table.plainEnd() - table.plainBegin());
    }

    private static boolean isUtf8(byte[] bytes) {
        try {
            UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            // Jackson takes NULs at the beginning for UTF-16 or UTF-32, and skips a byte order mark.
            boolean otherwise = bytes.length > 0 && bytes[0] == (byte) 0xef;
            for (int i = 0; i < Math.min(4, bytes.length); i++) {
                otherwise |= bytes[i] == 0;
            }
            return !otherwise;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    private boolean isObject(byte[] bytes) {
        try {
            return bytes.length > 0 && jackson.readTree(bytes).isObject();
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    protected List<byte[]> seeds() {
        return List.of(
                "{\"a\":1,\"b\":{\"c\":[\"d\",[true,null,-1.5e+3],{\"e\":\"\\u00e4\\ud83d\\ude00\\n\"}]},\"\\/\":{}}"
                        .getBytes(UTF_8),
                " {\"a\" : [ ] , \"a\" : \"\" } ".getBytes(UTF_8),
                "{\"a\":{\"b\":01}}".getBytes(UTF_8),
                "date=2026-11-21 devname=\"fw \\\"1\\\"\" [action:\"Accept\"; a=1, b=2;] =x y= z".getBytes(UTF_8));
    }
}
