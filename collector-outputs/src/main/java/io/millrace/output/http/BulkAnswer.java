package io.millrace.output.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.millrace.output.internal.http.HttpAnswer;
import io.millrace.output.internal.secret.Secrets;
import io.millrace.sink.SinkBatch;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Parser of a bulk response, which is processed item by item:
 *
 * <pre>{@code
 * {"took":3,"errors":true,"items":[
 *   {"create":{"_id":"…","status":201}},
 *   {"create":{"_id":"…","status":400,"error":{"type":"mapper_parsing_exception","reason":"…"}}}]}
 * }</pre>
 */
final class BulkAnswer {
    private static final JsonFactory FACTORY = new JsonFactory();
    private static final int CONFLICT = 409;

    private final JsonParser json;
    private final SinkBatch batch;
    private final int[] records;
    private int items;
    private int left;
    private @Nullable String why;

    // The current item.
    private int status;
    private @Nullable String error;

    private BulkAnswer(JsonParser json, SinkBatch batch, int[] records) {
        this.json = json;
        this.batch = batch;
        this.records = records;
    }

    /**
     * Accepts and rejects records according to the response.
     *
     * @throws IOException if records have to be resent, or the response is invalid
     */
    static void read(byte[] answer, SinkBatch batch, int[] records) throws IOException {
        BulkAnswer reader;
        try (JsonParser json = FACTORY.createParser(answer)) {
            reader = new BulkAnswer(json, batch, records);
            reader.read();
        } catch (JsonProcessingException e) {
            throw new IOException("the answer is not that of a bulk interface: " + e.getOriginalMessage(), e);
        }
        if (reader.left > 0) {
            throw new IOException(reader.left + " of " + records.length + " records were not taken: " + reader.why);
        }
    }

    private void read() throws IOException {
        boolean errors = true;
        if (json.nextToken() == JsonToken.START_OBJECT) {
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                JsonToken value = json.nextToken();
                if (name.equals("errors")) {
                    errors = value != JsonToken.VALUE_FALSE;
                } else if (name.equals("items") && value == JsonToken.START_ARRAY) {
                    items();
                } else {
                    json.skipChildren();
                }
            }
        }
        if (!errors && items == 0) {
            // A filter (filter_path=errors) may omit the items if all succeeded.
            for (int record : records) {
                batch.accept(record);
            }
        } else if (items != records.length) {
            throw new IOException("the answer is about " + items + " records, not " + records.length);
        }
    }

    private void items() throws IOException {
        while (json.nextToken() == JsonToken.START_OBJECT) {
            status = 0;
            error = null;
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                if (json.nextToken() == JsonToken.START_OBJECT) {
                    item();
                }
            }
            if (items < records.length) {
                settle(records[items]);
            }
            items++;
        }
    }

    private void item() throws IOException {
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.currentName();
            JsonToken value = json.nextToken();
            if (name.equals("status") && value == JsonToken.VALUE_NUMBER_INT) {
                status = json.getIntValue();
            } else if (name.equals("error")) {
                error = value == JsonToken.START_OBJECT ? error() : json.getText();
            } else {
                json.skipChildren();
            }
        }
    }

    private String error() throws IOException {
        String type = "";
        String reason = "";
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.currentName();
            JsonToken value = json.nextToken();
            if (value == JsonToken.VALUE_STRING && name.equals("type")) {
                type = json.getText();
            } else if (value == JsonToken.VALUE_STRING && name.equals("reason")) {
                reason = json.getText();
            } else {
                json.skipChildren();
            }
        }
        return type + ": " + reason;
    }

    private void settle(int record) {
        // A conflict means that the document exists: the record was sent before.
        if (status / 100 == 2 || status == CONFLICT) {
            batch.accept(record);
            return;
        }
        String text = HttpAnswer.shorten(Secrets.known().redact(status + " " + (error == null ? "" : error)));
        if (status == 0 || HttpAnswer.isPassing(status)) {
            left++;
            why = why == null ? text : why;
        } else {
            batch.refuse(record, text);
        }
    }
}
