package io.millrace.output.s3;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.output.internal.http.HttpAnswer;
import io.millrace.output.internal.secret.Secrets;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An answer of an S3 server that is no success: its status, and the code and message of its XML, as far as there are any.
 *
 * @param status the status
 * @param code empty if there is none
 * @param message empty if there is none
 */
record S3Failure(int status, String code, String message) {
    private static final Pattern CODE = Pattern.compile("<Code>([A-Za-z0-9.]{1,80})</Code>");
    private static final Pattern MESSAGE = Pattern.compile("<Message>([^<]*)</Message>");

    static S3Failure of(HttpAnswer answer) {
        String body = new String(answer.body(), UTF_8);
        return new S3Failure(answer.status(), find(CODE, body), find(MESSAGE, body));
    }

    private static String find(Pattern pattern, String body) {
        Matcher matcher = pattern.matcher(body);
        return matcher.find() ? matcher.group(1) : "";
    }

    /** True if the server knows the key, which may not do what was asked. */
    boolean isDenied() {
        return status == 403 && code.equals("AccessDenied");
    }

    IOException exception() {
        String said = HttpAnswer.shorten(Secrets.known().redact(message));
        return new IOException("HTTP " + status + (code.isEmpty() ? "" : " " + code) + remedy()
                + (said.isEmpty() ? "" : ". The server says: " + said));
    }

    private String remedy() {
        return switch (code) {
            case "InvalidAccessKeyId" -> ": the server does not know this accessKey: correct it";
            case "SignatureDoesNotMatch" -> ": secretKey does not belong to accessKey: correct it";
            case "ExpiredToken", "InvalidToken", "TokenRefreshRequired" ->
                ": sessionToken is not valid any more: renew the key, and reload the configuration";
            case "RequestTimeTooSkewed" -> ": the clocks of this host and of the server differ: synchronize them";
            case "NoSuchBucket" -> ": there is no such bucket: create it, or correct 'bucket' and 'endpoint'";
            case "PermanentRedirect", "TemporaryRedirect", "AuthorizationHeaderMalformed" ->
                ": the bucket is in another region: correct 'region', and 'endpoint' if it is set";
            default -> remedyByStatus();
        };
    }

    private String remedyByStatus() {
        return switch (status) {
            case 301, 302, 307, 308 -> ": the server redirects: correct 'endpoint' and 'region'";
            case 400 -> ": the server rejects the request: compare 'region', 'prefix' and the settings of the bucket";
            case 401, 403 -> ": this key may not write there: allow it s3:PutObject in the bucket, or use another key";
            case 404 -> ": there is no such bucket: create it, or correct 'bucket' and 'endpoint'";
            case 429, 503 -> ": too many requests for now";
            default -> "";
        };
    }
}
