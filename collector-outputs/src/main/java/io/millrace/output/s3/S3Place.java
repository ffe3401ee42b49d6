package io.millrace.output.s3;

import io.millrace.setting.Setting;
import io.millrace.setting.SettingException;
import java.net.URI;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Where a bucket is, and how its objects are addressed. */
final class S3Place {
    private static final Pattern BUCKET = Pattern.compile("[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]");
    private static final Pattern REGION = Pattern.compile("[A-Za-z0-9-]{1,64}");

    private final String region;
    private final String url;

    /**
     * Checks every setting; the message of the exception has the name of the first invalid one and its valid values.
     *
     * @param endpoint the server; null for Amazon's in the region
     * @param addressing null for virtual hosts at Amazon, and paths at others
     */
    S3Place(@Nullable URI endpoint, String region, String bucket, S3Settings.@Nullable Addressing addressing) {
        check(
                BUCKET.matcher(bucket).matches(),
                S3Settings.BUCKET,
                "3 to 63 small letters, digits, dots and dashes",
                bucket);
        check(REGION.matcher(region).matches(), S3Settings.REGION, "a name such as eu-central-1", region);
        this.region = region;
        URI server = endpoint == null
                ? URI.create("https://s3." + region + ".amazonaws.com" + (region.startsWith("cn-") ? ".cn" : ""))
                : endpoint;
        String scheme = String.valueOf(server.getScheme()).toLowerCase(Locale.ROOT);
        String path = String.valueOf(server.getRawPath());
        check(
                (scheme.equals("http") || scheme.equals("https"))
                        && server.getHost() != null
                        && server.getUserInfo() == null
                        && (path.isEmpty() || path.equals("/"))
                        && server.getRawQuery() == null
                        && server.getRawFragment() == null,
                S3Settings.ENDPOINT,
                "http:// or https:// with a host, and nothing after it but a port",
                "this one");
        // The HTTP client leaves a usual port out of the header Host, which is signed.
        int usual = scheme.equals("https") ? 443 : 80;
        String authority =
                server.getHost() + (server.getPort() < 0 || server.getPort() == usual ? "" : ":" + server.getPort());
        boolean isHost = !bucket.contains("_") && !(bucket.contains(".") && scheme.equals("https"));
        boolean virtual =
                addressing == S3Settings.Addressing.VIRTUAL || (addressing == null && endpoint == null && isHost);
        check(
                !virtual || isHost,
                S3Settings.ADDRESSING,
                "path for a bucket whose name is no host name, or one with dots, to which no certificate belongs",
                "virtual");
        this.url = virtual ? scheme + "://" + bucket + "." + authority : scheme + "://" + authority + "/" + bucket;
    }

    private static void check(boolean good, Setting<?> setting, String takes, String got) {
        if (!good) {
            throw new SettingException(setting, "accepts " + takes + ", not " + got);
        }
    }

    String region() {
        return region;
    }

    boolean isSecure() {
        return url.startsWith("https:");
    }

    URI object(String key) {
        return URI.create(url + "/" + S3Signature.encode(key));
    }

    URI list() {
        return URI.create(url + "/?list-type=2&max-keys=1");
    }

    @Override
    public String toString() {
        return url;
    }
}
