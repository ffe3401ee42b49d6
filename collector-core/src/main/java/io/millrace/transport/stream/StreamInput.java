package io.millrace.transport.stream;

/**
 * An input of connections, or of Unix datagrams.
 *
 * @param name its name in the journal, in metrics and in messages
 * @param endpoint where it listens
 * @param settings what it takes
 */
public record StreamInput(String name, Endpoint endpoint, StreamSettings settings) {}
