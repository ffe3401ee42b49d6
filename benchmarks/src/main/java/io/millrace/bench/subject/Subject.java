package io.millrace.bench.subject;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** A receiver that can be measured. */
public interface Subject {
    /** What reports and options call it. */
    String name();

    /** What it is, in a sentence. */
    String description();

    /** Why it cannot be measured on this host; empty if it can. */
    Optional<String> unavailable() throws IOException;

    /** Its version and its configuration as it is started, whole, for the report. */
    String configuration(Launch launch) throws IOException;

    /** True if it shows datagrams only as a number, without saying which. */
    default boolean countsOnly() {
        return false;
    }

    /** True if it looks at the network device, where GRO batches are not split yet. */
    default boolean seesGsoBatches() {
        return false;
    }

    /** The addresses of this host it receives on. */
    default List<String> addresses() {
        return List.of("127.0.0.1");
    }

    /** Starts it and waits until it is ready to receive. */
    RunningSubject start(Launch launch) throws IOException, InterruptedException;
}
