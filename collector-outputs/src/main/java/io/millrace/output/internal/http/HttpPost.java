package io.millrace.output.internal.http;

import io.millrace.message.LineBuffer;
import io.millrace.output.Compression;
import io.millrace.output.internal.tls.TlsSettings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Locale;

/** HTTP client that posts one body at a time. One thread. */
public final class HttpPost {
    private final URI target;
    private final Compression compression;
    private final RequestCompressor compressor;
    private final HttpRequest.Builder request;
    private final HttpConnection connection;

    /**
     * Creates a client, which connects on demand.
     *
     * @param tls the certificates, for https only
     */
    public HttpPost(URI target, Compression compression, HttpConnection.Limits limits, TlsSettings tls) {
        this.target = target;
        this.compression = compression;
        this.compressor = new RequestCompressor(compression);
        connection = new HttpConnection(limits, target.getScheme().equals("https") ? tls : null);
        request = HttpRequest.newBuilder(target);
    }

    /**
     * Sets a header of each request.
     *
     * @throws IllegalArgumentException if it must not be set; the message does not quote the value, which may be a secret
     */
    public HttpPost header(String header, String value) {
        if (header.equalsIgnoreCase("connection")) {
            throw new IllegalArgumentException("headers accepts no header '" + header + "'");
        }
        try {
            request.setHeader(header, value);
            return this;
        } catch (IllegalArgumentException e) {
            // The exception is neither quoted nor the cause: it contains the value.
            throw String.valueOf(e.getMessage()).startsWith("invalid header value")
                    ? new IllegalArgumentException("headers accepts one line without control characters for '" + header
                            + "'; what is given is not shown")
                    : new IllegalArgumentException("headers accepts no header '" + header + "'");
        }
    }

    /** As {@link #send(LineBuffer, String, int)}, with the URL as it is. */
    public HttpAnswer send(LineBuffer body, int maxAnswer) throws IOException, InterruptedException {
        return send(body, "", maxAnswer);
    }

    /**
     * Posts a body and waits for the response.
     *
     * @param query what is added to the query of the URL; empty for nothing
     * @param maxAnswer the maximum length of the response
     * @throws IOException if there is no response in time
     */
    public HttpAnswer send(LineBuffer body, String query, int maxAnswer) throws IOException, InterruptedException {
        HttpRequest.Builder post = request.copy().POST(BodyPublishers.ofByteArray(compressor.compress(body)));
        if (!query.isEmpty()) {
            post.uri(HttpTarget.with(target, query));
        }
        if (compression != Compression.NONE) {
            post.setHeader("Content-Encoding", compression.name().toLowerCase(Locale.ROOT));
        }
        return connection.answer(post.build(), maxAnswer);
    }

    /**
     * Asks for the headers that a GET would have, and waits for the response.
     *
     * @throws IOException if there is no response in time
     */
    public HttpAnswer head(int maxAnswer) throws IOException, InterruptedException {
        return connection.answer(
                request.copy().method("HEAD", BodyPublishers.noBody()).build(), maxAnswer);
    }

    public void refresh() {
        connection.refresh();
    }

    /** Releases the client, which ends its threads when it is unreachable. */
    public void close() {
        compressor.close();
        connection.close();
    }
}
