package io.millrace.bench.subject;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** A receiver that can be measured. */
public interface Subject {
    /** Its name in reports and options. */
    String name();

    /** A short description. */
    String description();

    /** Why it is not available on this host; empty if it is. */
    Optional<String> unavailable() throws IOException;

    /** Its version and complete configuration, for the report. */
    String configuration(LaunchSettings launch) throws IOException;

    /** True if it only counts datagrams, without recording which. */
    default boolean countsOnly() {
        return false;
    }

    /** True if it captures on the network device, where GSO batches are not split yet. */
    default boolean capturesUnsplitBatches() {
        return false;
    }

    /** True if it runs on a JVM, which compiles code that is executed rarely only after minutes. */
    default boolean runsOnJvm() {
        return false;
    }

    /** True if it receives messages of TCP connections; else datagrams. */
    default boolean takesConnections() {
        return false;
    }

    /** True if it understands octet counting (RFC 6587) on connections. */
    default boolean takesOctetCounting() {
        return false;
    }

    /** True if its connections are TLS. */
    default boolean takesTls() {
        return false;
    }

    /** True if the kernel counts for its socket what it drops. */
    default boolean hasCountingSocket() {
        return !capturesUnsplitBatches() && !takesConnections();
    }

    /** The addresses of this host it receives on. */
    default List<String> addresses() {
        return List.of("127.0.0.1");
    }

    /** True if each message that it stores can be read once it has ended, with {@link RunningSubject#messages}. */
    default boolean storesMessages() {
        return false;
    }

    /** Starts it and waits until it is ready to receive. */
    RunningSubject start(LaunchSettings launch) throws IOException, InterruptedException;
}
