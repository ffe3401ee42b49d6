package io.millrace.output.internal.http.splunk;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.millrace.output.internal.http.HttpAnswer;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An answer of the HTTP Event Collector:
 *
 * <pre>{@code
 * {"text":"Success","code":0,"ackId":7}
 * {"text":"Incorrect index","code":7,"invalid-event-number":1}
 * {"acks":{"7":true,"8":false}}
 * }</pre>
 *
 * @param code the code; {@link #NONE} if the answer has none
 * @param ackId the number of the request for indexer acknowledgement; {@link #NONE} if the answer has none
 * @param event the number of the invalid event; {@link #NONE} if the answer has none
 * @param indexed the numbers of requests that are indexed; null if the answer does not say
 */
record HecAnswer(
        long code, long ackId, long event, @Nullable Set<Long> indexed) {
    static final long NONE = -1;

    private static final JsonFactory FACTORY = new JsonFactory();
    private static final int MAX_DIGITS = 18;

    /** Reads an answer; null if it is none of the HTTP Event Collector. */
    static @Nullable HecAnswer of(HttpAnswer answer) {
        if (!answer.isWhole()) {
            return null;
        }
        try (JsonParser json = FACTORY.createParser(answer.body())) {
            return json.nextToken() == JsonToken.START_OBJECT ? read(json) : null;
        } catch (IOException e) {
            return null;
        }
    }

    private static HecAnswer read(JsonParser json) throws IOException {
        long code = NONE;
        long ackId = NONE;
        long event = NONE;
        Set<Long> indexed = null;
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.currentName();
            JsonToken value = json.nextToken();
            if (name.equals("code") && value == JsonToken.VALUE_NUMBER_INT) {
                code = json.getLongValue();
            } else if (name.equals("ackId") && value == JsonToken.VALUE_NUMBER_INT) {
                ackId = json.getLongValue();
            } else if (name.equals("invalid-event-number") && value == JsonToken.VALUE_NUMBER_INT) {
                event = json.getLongValue();
            } else if (name.equals("acks") && value == JsonToken.START_OBJECT) {
                indexed = acks(json);
            } else {
                json.skipChildren();
            }
        }
        return new HecAnswer(code, ackId, event, indexed);
    }

    private static Set<Long> acks(JsonParser json) throws IOException {
        Set<Long> indexed = new HashSet<>();
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String id = json.currentName();
            if (json.nextToken() == JsonToken.VALUE_TRUE && id.matches("\\d{1," + MAX_DIGITS + "}")) {
                indexed.add(Long.valueOf(id));
            } else {
                json.skipChildren();
            }
        }
        return indexed;
    }
}
