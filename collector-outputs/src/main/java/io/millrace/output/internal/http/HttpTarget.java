package io.millrace.output.internal.http;

import java.net.URI;

/** The URL of requests. */
public final class HttpTarget {
    private HttpTarget() {}

    /** The URL of an interface: its path is added to that of the server, unless the URL has it already. */
    public static URI of(URI url, String path) {
        String given = url.getRawPath() == null ? "" : url.getRawPath();
        String base = given.replaceFirst("/+$", "");
        if (given.endsWith(path) || base.endsWith(path)) {
            return url;
        }
        String query = url.getRawQuery() == null ? "" : "?" + url.getRawQuery();
        return URI.create(url.getScheme() + "://" + url.getRawAuthority() + base + path + query);
    }

    /** The URL with further parameters. */
    public static URI with(URI url, String query) {
        String text = url.toString().replaceFirst("#.*", "");
        return query.isEmpty() ? url : URI.create(text + (url.getRawQuery() == null ? "?" : "&") + query);
    }

    /** The URL without its query, which may contain a secret. */
    public static String place(URI url) {
        return url.getScheme() + "://" + url.getRawAuthority() + url.getRawPath();
    }
}
