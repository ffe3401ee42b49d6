package io.millrace.output.internal.http.elasticsearch;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.millrace.output.internal.http.HttpAnswer;
import io.millrace.output.internal.http.HttpVerdict;
import io.millrace.output.internal.secret.Secrets;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Parser of a bulk response, which is processed item by item:
 *
 * <pre>{@code
 * {"took":3,"errors":true,"items":[
 *   {"create":{"_id":"…","status":201}},
 *   {"create":{"_id":"…","status":400,"error":{"type":"mapper_parsing_exception","reason":"…",
 *                                              "caused_by":{"type":"…","reason":"…"}}}}]}
 * }</pre>
 */
final class BulkAnswer {
    private static final JsonFactory FACTORY = new JsonFactory();
    private static final int CONFLICT = 409;

    private final JsonParser json;
    private final int records;
    private final boolean namesVary;
    private final HttpVerdict verdict;
    private int items;
    private boolean hasErrors;

    // The current item.
    private int status;
    private String type = "";
    private String reason = "";

    /** The reasons of the error and of its causes. */
    private final List<String> reasons = new ArrayList<>();

    private BulkAnswer(JsonParser json, int records, boolean namesVary) {
        this.json = json;
        this.records = records;
        this.namesVary = namesVary;
        this.verdict = HttpVerdict.each(records);
    }

    /**
     * Reads a response.
     *
     * @param namesVary true if messages choose the names of indexes
     * @throws IOException if the response is invalid
     */
    static HttpVerdict read(byte[] answer, int records, boolean namesVary) throws IOException {
        try (JsonParser json = FACTORY.createParser(answer)) {
            return new BulkAnswer(json, records, namesVary).read();
        } catch (JsonProcessingException e) {
            throw new IOException(
                    "the answer is not that of a bulk interface: "
                            + HttpAnswer.shorten(Secrets.known().redact(String.valueOf(e.getOriginalMessage()))),
                    e);
        }
    }

    private HttpVerdict read() throws IOException {
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
        // A filter (filter_path=errors) may omit the items if all succeeded.
        boolean omitted = !errors && items == 0;
        if (!omitted && items != records) {
            throw new IOException("the answer is about " + items + " records, not " + records);
        }
        return hasErrors ? verdict : HttpVerdict.all();
    }

    private void items() throws IOException {
        while (json.nextToken() == JsonToken.START_OBJECT) {
            status = 0;
            type = "";
            reason = "";
            reasons.clear();
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                if (json.nextToken() == JsonToken.START_OBJECT) {
                    item();
                }
            }
            if (items < records) {
                settle(items);
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
            } else if (name.equals("error") && value == JsonToken.START_OBJECT) {
                error(true);
            } else if (name.equals("error")) {
                reason = json.getText();
                reasons.add(reason);
            } else {
                json.skipChildren();
            }
        }
    }

    /** Reads an error, or one that caused it. */
    private void error(boolean outer) throws IOException {
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.currentName();
            JsonToken value = json.nextToken();
            if (value == JsonToken.VALUE_STRING && name.equals("type")) {
                type = outer ? json.getText() : type;
            } else if (value == JsonToken.VALUE_STRING && name.equals("reason")) {
                reason = outer ? json.getText() : reason;
                reasons.add(json.getText());
            } else if (value == JsonToken.START_OBJECT && name.equals("caused_by")) {
                error(false);
            } else {
                json.skipChildren();
            }
        }
    }

    private void settle(int index) {
        // A conflict means that the document exists: the record was sent before.
        if (status / 100 == 2 || status == CONFLICT) {
            return;
        }
        hasErrors = true;
        BulkError error = BulkError.of(type, reasons);
        String remedy = error == null || error.remedy().isEmpty() ? "" : " (" + error.remedy() + ")";
        String cause = reasons.isEmpty() ? "" : reasons.get(reasons.size() - 1);
        String said = (type.isEmpty() ? "" : type + ": ") + reason + (reason.contains(cause) ? "" : ": " + cause);
        String text = HttpAnswer.shorten(Secrets.known().redact(status + " " + said)) + remedy;
        switch (BulkError.fault(error, status)) {
            case DOCUMENT -> verdict.reject(index, type, text);
            case SENDERS -> verdict.rejectLater(index, type, text);
            case INDEX -> verdict.later(index, text);
            case NAME -> {
                if (namesVary) {
                    verdict.reject(index, type, text);
                } else {
                    verdict.later(index, text);
                }
            }
        }
    }
}
