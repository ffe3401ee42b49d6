package io.millrace.bench.subject;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.regex.Pattern;

/** The HTTP interface of a peer on this host, with its metrics. */
final class PeerMetrics {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final int OK = 200;

    private PeerMetrics() {}

    /**
     * The sum of some metrics.
     *
     * @param lines lines of the Prometheus text format; group 1 is the value
     */
    static long sum(String url, Pattern lines) throws IOException, InterruptedException {
        return lines.matcher(get(url, BodyHandlers.ofString()))
                .results()
                .mapToLong(each -> (long) Double.parseDouble(each.group(1)))
                .sum();
    }

    static <T> T get(String url, BodyHandler<T> handler) throws IOException, InterruptedException {
        HttpResponse<T> answer =
                HTTP.send(HttpRequest.newBuilder(URI.create(url)).build(), handler);
        if (answer.statusCode() != OK) {
            throw new IOException(url + " returned " + answer.statusCode() + ": " + answer.body());
        }
        return answer.body();
    }
}
