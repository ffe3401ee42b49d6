package io.millrace.output.s3;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs requests as AWS Signature Version 4 describes it for S3, with the hash of the body. The path of the URI is signed as it is sent, and
 * its query must be sorted.
 *
 * @param credentials the key
 * @param region the region, such as {@code us-east-1}
 */
record S3Signature(S3Credentials credentials, String region) {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final String ALGORITHM = "AWS4-HMAC-SHA256";
    private static final String UNRESERVED = "-._~/";

    /**
     * The headers of a request, including the signature; all of them are signed. {@code host} is among them: the HTTP client sets it by
     * itself, to the same value.
     *
     * @param headers those that the request has anyway, with names in lower case
     */
    Map<String, String> sign(String method, URI uri, Map<String, String> headers, byte[] body, Instant now) {
        String time = TIME.format(now);
        String bodyHash = hex(sha256(body));
        TreeMap<String, String> all = new TreeMap<>(headers);
        all.put("host", uri.getRawAuthority());
        all.put("x-amz-content-sha256", bodyHash);
        all.put("x-amz-date", time);
        if (credentials.sessionToken() != null) {
            all.put("x-amz-security-token", credentials.sessionToken());
        }
        String names = String.join(";", all.keySet());
        String query = uri.getRawQuery() == null ? "" : uri.getRawQuery();
        String canonical = method + "\n" + uri.getRawPath() + "\n" + query + "\n"
                + all.entrySet().stream()
                        .map(each -> each.getKey() + ":" + each.getValue().strip() + "\n")
                        .collect(Collectors.joining())
                + "\n" + names + "\n" + bodyHash;
        String day = time.substring(0, 8);
        String scope = day + "/" + region + "/s3/aws4_request";
        String toSign = ALGORITHM + "\n" + time + "\n" + scope + "\n" + hex(sha256(canonical.getBytes(UTF_8)));
        byte[] key = ("AWS4" + credentials.secretKey()).getBytes(UTF_8);
        for (String part : new String[] {day, region, "s3", "aws4_request", toSign}) {
            key = hmac(key, part);
        }
        all.put(
                "authorization",
                ALGORITHM + " Credential=" + credentials.accessKey() + "/" + scope + ",SignedHeaders=" + names
                        + ",Signature=" + hex(key));
        return all;
    }

    /** Encodes a path for a URI: all bytes but letters, digits, {@code -._~} and slashes. */
    static String encode(String path) {
        StringBuilder encoded = new StringBuilder();
        for (byte b : path.getBytes(UTF_8)) {
            boolean plain = (b >= 'a' && b <= 'z')
                    || (b >= 'A' && b <= 'Z')
                    || (b >= '0' && b <= '9')
                    || UNRESERVED.indexOf(b) >= 0;
            if (plain) {
                encoded.append((char) b);
            } else {
                encoded.append('%').append(HexFormat.of().withUpperCase().toHexDigits(b));
            }
        }
        return encoded.toString();
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }

    private static byte[] hmac(byte[] key, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(text.getBytes(UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java runtime has HmacSHA256", e);
        }
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
