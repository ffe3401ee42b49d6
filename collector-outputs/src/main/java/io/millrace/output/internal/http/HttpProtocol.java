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

    /**
     * Appends the body of a request without records, to which a server that accepts such requests answers otherwise than to invalid records.
     */
    void writeEmpty(LineBuffer body);

    /** True if an answer to a request without records shows that the server is what it should be. */
    default boolean isAnswerToNothing(HttpAnswer answer) {
        return answer.isSuccess();
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

    /** The number of records sent with fallback names. Any thread. */
    default long renamed() {
        return 0;
    }
}
