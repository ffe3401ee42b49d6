package io.millrace.app.sink;

import io.millrace.deliver.SinkBatch;
import io.millrace.format.LineBuffer;
import io.millrace.format.LogRecord;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** How records become a request, and what an answer says about them. One thread. */
interface RequestShape {
    /** As {@link io.millrace.deliver.Sink#encode}. */
    @Nullable
    Object encode(LogRecord record, LineBuffer out);

    /** Appends the body of a request with some records of a batch, in their order. */
    void write(SinkBatch batch, int[] records, LineBuffer body);

    /**
     * The request was answered with success: accepts or refuses each of its records that need not be sent again.
     *
     * @throws IOException if there are others, or the answer says something else
     */
    void answered(SinkBatch batch, int[] records, byte[] answer) throws IOException;
}
