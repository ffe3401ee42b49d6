package io.millrace.output.internal.http;

import io.millrace.message.LineBuffer;
import io.millrace.message.LogRecord;
import io.millrace.sink.SinkBatch;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * How a destination over HTTP is spoken to: what a request contains, and what an answer means. All else is common to destinations, and done by
 * {@link HttpSink}. One thread.
 */
public interface HttpProtocol {
    /** The maximum length of an answer that is only shown. */
    int MAX_TEXT_ANSWER = 8 << 10;

    String contentType();

    /** See {@link io.millrace.sink.Sink#encode}. */
    @Nullable
    Object encode(LogRecord record, LineBuffer out);

    /** Appends the body of a request with some records of a batch, in order. */
    void write(SinkBatch batch, int[] records, LineBuffer body);

    /** What is added to the query of the URL for some records of a batch; empty for nothing. */
    default String query(SinkBatch batch, int[] records) {
        return "";
    }

    /** What is added to the query of the URL for a request without records; empty for nothing. */
    default String emptyQuery() {
        return "";
    }

    /**
     * Appends the body of a request without records, to which a server that accepts such requests answers otherwise than to invalid records.
     */
    void writeEmpty(LineBuffer body);

    /**
     * True if the interface is a known one. Then a server that does not answer a request without records as it should is another one, or its path is
     * wrong, and nothing that it says of records is believed.
     */
    default boolean isKnown() {
        return true;
    }

    /** True if an answer to a request without records shows that the server is what it should be. */
    default boolean isAnswerToNothing(HttpAnswer answer) {
        return answer.isSuccess();
    }

    /**
     * True if an answer to a request without records shows that the server does not reject everything, so that a record that it rejects is at fault.
     *
     * @param rejection the status with which it has rejected a record
     */
    default boolean isProof(HttpAnswer empty, int rejection) {
        return (empty.isSuccess() && empty.isWhole()) || (empty.isAboutContent() && empty.status() != rejection);
    }

    /** The maximum length of an answer about a number of records. */
    default int maxAnswer(int records) {
        return MAX_TEXT_ANSWER;
    }

    /**
     * Reads an answer.
     *
     * @param records how many records were sent
     * @throws IOException if the destination is at fault: all records of the request have to be sent again
     */
    default HttpVerdict judge(HttpAnswer answer, int records) throws IOException {
        return HttpVerdict.byStatus(answer);
    }

    /** What completes deliveries after the answers; null if the answers do. Always the same. */
    default @Nullable HttpReceipts receipts() {
        return null;
    }

    /** The number of records sent with fallback names. Any thread. */
    default long renamed() {
        return 0;
    }
}
