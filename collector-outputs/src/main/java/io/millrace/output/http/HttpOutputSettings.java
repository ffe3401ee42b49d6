package io.millrace.output.http;

import io.millrace.message.LineFormat;
import io.millrace.output.Compression;
import io.millrace.output.OutputSettings;
import io.millrace.output.OutputType;
import io.millrace.output.internal.http.HttpConnection;
import io.millrace.output.internal.http.HttpCredentials;
import io.millrace.output.internal.http.HttpOptions;
import io.millrace.output.internal.http.HttpPost;
import io.millrace.output.internal.http.HttpProbe;
import io.millrace.output.internal.http.HttpProtocol;
import io.millrace.output.internal.http.HttpSink;
import io.millrace.output.internal.http.HttpTarget;
import io.millrace.output.internal.secret.PlainText;
import io.millrace.output.internal.tls.TlsOptions;
import io.millrace.setting.Setting;
import io.millrace.setting.SettingException;
import io.millrace.setting.Settings;
import io.millrace.sink.Sink;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Settings of an output over HTTP: what all of them have. */
public abstract class HttpOutputSettings extends OutputSettings {
    private final Compression compression;
    private final HttpConnection.Limits limits;
    private final Setting<String> token;
    private final @Nullable String authorization;

    /**
     * Checks what all have.
     *
     * @param token the setting with the token
     * @param scheme the scheme of the token in the header {@code Authorization}, such as {@code Bearer}
     */
    HttpOutputSettings(OutputType type, Settings values, Setting<String> token, String scheme) {
        super(type, values);
        compression = values.get(HttpOptions.compression(type));
        compression.checkLibrary();
        URI url = values.get(HttpOptions.URL);
        String protocol = String.valueOf(url.getScheme());
        check(
                (protocol.equals("http") || protocol.equals("https")) && url.getHost() != null,
                HttpOptions.URL,
                bare(url),
                "http:// or https://");
        check(
                url.getUserInfo() == null,
                HttpOptions.URL,
                "one with a user",
                "a user and a password in settings of their own");
        // First of what contradicts: somebody would think that what is sent is encrypted.
        TlsOptions.checkUnused(values, url);
        limits = new HttpConnection.Limits(timeLimit(HttpOptions.CONNECT_TIMEOUT), timeLimit(HttpOptions.TIMEOUT));
        this.token = token;
        authorization = HttpCredentials.authorization(values, token, scheme);
    }

    static void check(boolean good, Setting<?> setting, Object got, String takes) {
        if (!good) {
            throw new SettingException(setting, "accepts " + takes + ", not " + got);
        }
    }

    /** Omits possible secrets. */
    private static String bare(URI url) {
        String text = url.toString().replaceFirst("[?#].*", "");
        return text.contains("@") ? "one with a user" : text;
    }

    /** Creates the protocol of the destination, for one sink. */
    abstract HttpProtocol protocol();

    /** The URL of requests. */
    abstract URI target();

    /** The URL that was given. */
    final URI url() {
        return values().get(HttpOptions.URL);
    }

    /** Headers of the destination. */
    Map<String, String> ownHeaders() {
        return Map.of();
    }

    /** The URL for messages. */
    final String place() {
        return HttpTarget.place(target());
    }

    /** A client for requests to a URL within these limits. */
    final HttpPost post(URI target, String contentType, HttpConnection.Limits within) {
        HttpPost post =
                new HttpPost(target, compression, within, TlsOptions.of(values())).header("Content-Type", contentType);
        ownHeaders().forEach(post::header);
        Map<String, String> headers = values().find(HttpOptions.HEADERS);
        if (headers != null) {
            headers.forEach(post::header);
        }
        return authorization == null ? post : post.header("Authorization", authorization);
    }

    final HttpConnection.Limits limits() {
        return limits;
    }

    @Override
    public final Sink sink(String output) {
        return sink(HttpSink.DOUBT, HttpSink.SEARCH);
    }

    /** Creates a sink with other limits. */
    final HttpSink sink(Duration doubt, Duration search) {
        return sink(protocol(), doubt, search);
    }

    /** Creates a sink with other limits, and a protocol for it. */
    final HttpSink sink(HttpProtocol protocol, Duration doubt, Duration search) {
        return new HttpSink(place(), post(target(), protocol.contentType(), limits), protocol, doubt, search);
    }

    @Override
    public List<String> warnings(int batchBytes) {
        Map<String, String> headers = values().find(HttpOptions.HEADERS);
        List<String> secrets = Stream.of(HttpOptions.PASSWORD, token)
                .filter(each -> values().isSet(each))
                .map(Setting::key)
                .limit(1)
                .toList();
        String warning = PlainText.warning(url(), secrets, headers == null ? List.of() : headers.keySet());
        return warning == null ? List.of() : List.of(warning);
    }

    @Override
    public final List<FileFinding> checkFiles() {
        return "https".equals(url().getScheme()) ? checkTlsFiles() : List.of();
    }

    @Override
    public String connect(String output, Duration limit) throws IOException, InterruptedException {
        HttpProtocol protocol = protocol();
        HttpConnection.Limits within = new HttpConnection.Limits(limit, limit);
        return HttpProbe.empty(place(), post(target(), protocol.contentType(), within), protocol);
    }

    /** Omits headers, which may contain a secret. */
    @Override
    public final String toString() {
        return "to " + place();
    }

    /**
     * A builder with the settings that all outputs over HTTP have.
     *
     * @param <B> the builder of a type of output
     */
    public abstract static class Builder<B extends Builder<B>> extends TlsBuilder<B> {
        Builder() {}

        /** The URL. The path of a known interface may be left out. Required. */
        public B url(URI url) {
            return set(HttpOptions.URL, url);
        }

        /** Headers of each request. */
        public B headers(Map<String, String> headers) {
            return set(HttpOptions.HEADERS, Map.copyOf(headers));
        }

        /** The compression of requests; not every server accepts Zstandard. */
        public B compression(Compression compression) {
            return set(HttpOptions.COMPRESSION, compression);
        }

        /** The time limit for connecting. */
        public B connectTimeout(Duration limit) {
            return set(HttpOptions.CONNECT_TIMEOUT, limit);
        }

        /** The time limit for a complete response; then the request is resent. */
        public B timeout(Duration limit) {
            return set(HttpOptions.TIMEOUT, limit);
        }
    }

    /**
     * A builder with a user and a password, or a bearer token.
     *
     * @param <B> the builder of a type of output
     */
    public abstract static class CredentialsBuilder<B extends CredentialsBuilder<B>> extends Builder<B> {
        CredentialsBuilder() {}

        /** The user, with a password. */
        public B user(String user) {
            return set(HttpOptions.USER, user);
        }

        /** The password of the user. */
        public B password(String password) {
            return set(HttpOptions.PASSWORD, password);
        }

        /** A bearer token, instead of user and password. */
        public B token(String token) {
            return set(HttpOptions.TOKEN, token);
        }
    }

    /**
     * A builder with credentials and a format.
     *
     * @param <B> the builder of a type of output
     */
    public abstract static class FormatBuilder<B extends FormatBuilder<B>> extends CredentialsBuilder<B> {
        FormatBuilder() {}

        /** The format of messages. */
        public B format(LineFormat format) {
            return set(FORMAT, format);
        }
    }
}
