package io.millrace.app.alert;

import java.io.IOException;
import java.time.Duration;

/** A place where notifications go. One thread at a time. */
interface AlertTarget {
    /** The time limit of one attempt. */
    Duration TIMEOUT = Duration.ofSeconds(10);

    /**
     * Sends a notification, within {@link #TIMEOUT}.
     *
     * @return what answered
     * @throws IOException if it did not succeed; the message says why
     */
    String send(String json) throws IOException, InterruptedException;
}
