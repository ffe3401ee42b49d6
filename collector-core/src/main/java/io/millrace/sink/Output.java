package io.millrace.sink;

/**
 * A sink and its settings.
 *
 * @param settings how records are delivered
 * @param sink the destination; not shared with another output
 */
public record Output(SinkSettings settings, Sink sink) {

    /**
     * What became of dead letters that were delivered again.
     *
     * @param delivered messages that the destination has accepted; their dead letters are removed
     * @param refused messages that it has refused again; they are dead letters with the new reason
     * @param gone messages that the journal does not have any more; their dead letters stay
     * @param isCut true if the output ended before all were sent; the others stay
     */
    public record Redelivered(long delivered, long refused, long gone, boolean isCut) {}
}
