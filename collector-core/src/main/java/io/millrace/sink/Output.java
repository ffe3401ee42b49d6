package io.millrace.sink;

/**
 * A sink and its settings.
 *
 * @param settings how records are delivered
 * @param sink the destination; not shared with another output
 */
public record Output(SinkSettings settings, Sink sink) {}
