package io.millrace.app.sink.http;

import com.github.luben.zstd.Zstd;
import io.millrace.app.sink.http.HttpSinkSettings.Compression;
import io.millrace.app.tls.TlsContext;
import io.millrace.format.LineBuffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.channels.UnresolvedAddressException;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.zip.GZIPOutputStream;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** HTTP client that posts one body at a time. One thread. */
public final class HttpPost {
    private final HttpSinkSettings settings;
    private final HttpRequest.Builder request;
    private final boolean secure;
    private @Nullable HttpClient client;

    /**
     * Creates a client, which connects on demand.
     *
     * @throws IllegalArgumentException if a header must not be set
     */
    public HttpPost(HttpSinkSettings settings) {
        this.settings = settings;
        URI target = settings.target();
        secure = target.getScheme().equals("https");
        request = HttpRequest.newBuilder(target)
                .header("Content-Type", settings.shape().contentType());
        settings.headers().forEach(this::set);
        if (settings.credentials() != null) {
            request.setHeader("Authorization", settings.credentials().header());
        }
    }

    private void set(String header, String value) {
        try {
            request.setHeader(header, value);
        } catch (IllegalArgumentException e) {
            // The exception is neither quoted nor the cause: it contains the value, which may be a secret.
            throw String.valueOf(e.getMessage()).startsWith("invalid header value")
                    ? new IllegalArgumentException("headers takes one line without control characters for '" + header
                            + "'; what is given is not shown")
                    : new IllegalArgumentException("headers takes no header '" + header + "'");
        }
    }

    /**
     * Posts a body and waits for the response.
     *
     * @param maxAnswer the maximum length of the response
     * @throws IOException if there is no response in time
     */
    public HttpAnswer send(LineBuffer body, int maxAnswer) throws IOException, InterruptedException {
        HttpRequest.Builder post = request.copy().POST(BodyPublishers.ofByteArray(compress(body)));
        if (settings.compression() != Compression.NONE) {
            post.setHeader("Content-Encoding", settings.compression().name().toLowerCase(Locale.ROOT));
        }
        return answer(post.build(), maxAnswer);
    }

    /**
     * Asks for the headers that a GET would have, and waits for the response.
     *
     * @throws IOException if there is no response in time
     */
    HttpAnswer head(int maxAnswer) throws IOException, InterruptedException {
        return answer(request.copy().method("HEAD", BodyPublishers.noBody()).build(), maxAnswer);
    }

    private HttpAnswer answer(HttpRequest asked, int maxAnswer) throws IOException, InterruptedException {
        // The client's time limit covers only the headers; this one covers the body as well.
        CompletableFuture<HttpResponse<HttpAnswer>> answer = client().sendAsync(asked, HttpAnswer.handler(maxAnswer));
        try {
            return answer.get(settings.timeout().toMillis(), TimeUnit.MILLISECONDS)
                    .body();
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        } catch (TimeoutException e) {
            throw new IOException("no answer within " + settings.timeout().toMillis() + " ms", e);
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
    void close() {
        client = null;
    }

    private HttpClient client() throws IOException {
        HttpClient open = client;
        if (open == null) {
            HttpClient.Builder builder = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .connectTimeout(settings.connectTimeout());
            if (secure) {
                builder.sslContext(TlsContext.of(settings.tls()));
            }
            open = builder.build();
            client = open;
        }
        return open;
    }

    /** A copy, because an abandoned request may still be read from. */
    private byte[] compress(LineBuffer body) throws IOException {
        return switch (settings.compression()) {
            case NONE -> Arrays.copyOf(body.array(), body.length());
            case GZIP -> {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream(body.length() / 4 + 64);
                try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
                    gzip.write(body.array(), 0, body.length());
                }
                yield bytes.toByteArray();
            }
            case ZSTD -> Zstd.compress(Arrays.copyOf(body.array(), body.length()));
        };
    }
}
