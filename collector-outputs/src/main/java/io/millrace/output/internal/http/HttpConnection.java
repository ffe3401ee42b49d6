package io.millrace.output.internal.http;

import io.millrace.internal.agent.FatalErrors;
import io.millrace.output.internal.tls.TlsContext;
import io.millrace.output.internal.tls.TlsSettings;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** HTTP client of one server, which connects on demand; its errors are for people. One thread. */
public final class HttpConnection {
    private static final String ALLOWED_HEADERS = "jdk.httpclient.allowRestrictedHeaders";

    /** A connection finds its server where the host name says; after this time it is made again. */
    private static final long MAX_AGE_NS = TimeUnit.MINUTES.toNanos(5);

    /** As many as an output uses at a time. */
    private static final int MAX_CONNECTIONS = 8;

    static {
        // Lets a request ask for the end of its connection: the client has nothing else that limits its age. Read once,
        // at the first request.
        String allowed = System.getProperty(ALLOWED_HEADERS);
        System.setProperty(ALLOWED_HEADERS, allowed == null ? "connection" : allowed + ",connection");
    }

    private final Limits limits;
    private final @Nullable TlsSettings tls;
    private @Nullable HttpClient client;
    private long freshNs = System.nanoTime();
    private final AtomicInteger toClose = new AtomicInteger();

    /**
     * Time limits.
     *
     * @param connect for connecting
     * @param answer for the complete response
     */
    public record Limits(Duration connect, Duration answer) {}

    /**
     * Creates a client.
     *
     * @param tls the certificates; null without TLS
     */
    public HttpConnection(Limits limits, @Nullable TlsSettings tls) {
        this.limits = limits;
        this.tls = tls;
    }

    /**
     * Sends a request and waits for the response.
     *
     * @param maxAnswer the maximum length of the response
     * @throws IOException if there is no response in time
     */
    public HttpAnswer answer(HttpRequest asked, int maxAnswer) throws IOException, InterruptedException {
        return await(start(asked, maxAnswer));
    }

    /**
     * Sends a request. {@link #await} is to be called for it, or it is to be cancelled.
     *
     * @param maxAnswer the maximum length of the response
     * @throws IOException if the certificates cannot be read
     */
    public CompletableFuture<HttpResponse<HttpAnswer>> start(HttpRequest asked, int maxAnswer) throws IOException {
        return client().sendAsync(isLast() ? last(asked) : asked, HttpAnswer.handler(maxAnswer));
    }

    /** Makes the connections again, so that the host name is looked up. Any thread. */
    public void refresh() {
        toClose.set(MAX_CONNECTIONS);
    }

    /** True if the connection of the next request is to be closed after it. */
    private boolean isLast() {
        long nowNs = System.nanoTime();
        if (nowNs - freshNs >= MAX_AGE_NS) {
            freshNs = nowNs;
            refresh();
        }
        return toClose.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
    }

    private static HttpRequest last(HttpRequest asked) {
        try {
            return HttpRequest.newBuilder(asked, (name, value) -> true)
                    .setHeader("Connection", "close")
                    .build();
        } catch (IllegalArgumentException notAllowed) {
            return asked;
        }
    }

    /**
     * Waits for the response.
     *
     * @throws IOException if there is none in time
     */
    public HttpAnswer await(CompletableFuture<HttpResponse<HttpAnswer>> answer)
            throws IOException, InterruptedException {
        // The client's time limit covers only the headers; this one covers the body as well.
        try {
            return answer.get(limits.answer().toMillis(), TimeUnit.MILLISECONDS).body();
        } catch (ExecutionException e) {
            FatalErrors.rethrow(e);
            throw failure(e.getCause());
        } catch (TimeoutException e) {
            throw new IOException("no answer within " + limits.answer().toMillis() + " ms", e);
        } finally {
            answer.cancel(true);
        }
    }

    private IOException failure(@Nullable Throwable cause) {
        if (cause instanceof SSLException) {
            // The files are reloaded, because certificates may have been replaced.
            client = null;
            return new IOException("TLS: " + cause.getMessage(), cause);
        }
        if (cause instanceof HttpConnectTimeoutException) {
            return new IOException("the connection timed out", cause);
        }
        if (cause instanceof ConnectException) {
            boolean unresolved = cause.getCause() instanceof UnresolvedAddressException
                    || (cause.getCause() != null && cause.getCause().getCause() instanceof UnresolvedAddressException);
            return new IOException(unresolved ? "there is no such host" : "the connection was refused", cause);
        }
        return new IOException(cause == null ? "no answer" : String.valueOf(cause.getMessage()), cause);
    }

    /** Releases the client, which ends its threads when it is unreachable. */
    public void close() {
        client = null;
    }

    private HttpClient client() throws IOException {
        HttpClient open = client;
        if (open == null) {
            HttpClient.Builder builder = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .connectTimeout(limits.connect());
            if (tls != null) {
                builder.sslContext(TlsContext.of(tls));
            }
            open = builder.build();
            client = open;
        }
        return open;
    }
}
