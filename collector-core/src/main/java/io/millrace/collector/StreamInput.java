package io.millrace.collector;

import io.millrace.journal.FrameTransport;

/**
 * An input of connections, or of Unix datagrams.
 *
 * @param name its name in the journal, in metrics and in messages
 * @param endpoint where it listens
 * @param settings what it takes
 */
public record StreamInput(String name, Endpoint endpoint, StreamSettings settings) {
    /** Checks that an input on TLS has a certificate. RELP may be on TLS. */
    public StreamInput {
        if (endpoint.transport() != FrameTransport.RELP
                && (endpoint.transport() == FrameTransport.TLS) != (settings.tls() != null)) {
            throw new IllegalArgumentException("input " + name
                    + (settings.tls() == null
                            ? " listens on TLS, and needs tls.certificateFile and tls.keyFile"
                            : " has a certificate, but does not listen on tls:// or relp://"));
        }
    }

    /** True if messages are acknowledged to their senders. */
    public boolean isRelp() {
        return endpoint.transport() == FrameTransport.RELP;
    }
}
