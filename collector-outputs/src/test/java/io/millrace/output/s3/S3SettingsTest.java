package io.millrace.output.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.output.s3.S3Receiver.Reply;
import io.millrace.output.s3.S3Settings.Addressing;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class S3SettingsTest {
    private static final int BATCH_BYTES = 16 << 20;

    private static S3Settings.Builder logs() {
        return S3Settings.builder().bucket("logs").accessKey("access").secretKey("words-of-a-test");
    }

    @Test
    void addressesABucket() {
        URI other = URI.create("https://minio.example.com:9000/");
        assertThat(new S3Place(null, "eu-central-1", "logs", null).object("a b/c"))
                .hasToString("https://logs.s3.eu-central-1.amazonaws.com/a%20b/c");
        assertThat(new S3Place(null, "eu-central-1", "my.logs", Addressing.PATH).list())
                .hasToString("https://s3.eu-central-1.amazonaws.com/my.logs/?list-type=2&max-keys=1");
        assertThat(new S3Place(other, "us-east-1", "logs", null)).hasToString("https://minio.example.com:9000/logs");
        assertThat(new S3Place(other, "us-east-1", "logs", Addressing.VIRTUAL))
                .hasToString("https://logs.minio.example.com:9000");
        assertThat(new S3Place(URI.create("http://h:80"), "us-east-1", "logs", null).object("k"))
                .as("the header Host has no usual port, and is signed")
                .hasToString("http://h/logs/k");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "http://h/x    | us-east-1 | logs  | endpoint accepts http:// or https:// with a host",
                "ftp://h       | us-east-1 | logs  | endpoint accepts",
                "http://u:p@h  | us-east-1 | logs  | endpoint accepts",
                "http://h      | us east   | logs  | region accepts a name such as eu-central-1, not us east",
                "http://h      | us-east-1 | Logs/ | bucket accepts 3 to 63 small letters, digits, dots and dashes, not Logs/"
            })
    void rejectsInvalidPlaces(String endpoint, String region, String bucket, String problem) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new S3Place(URI.create(endpoint), region, bucket, null))
                .withMessageStartingWith(problem)
                .withMessageNotContaining("u:p");
    }

    @ParameterizedTest
    @CsvSource({"/logs/", "a//b", "a/../b", "./a", "'{hostname'", "'{nofield}'", "caf\u00e9/"})
    void rejectsInvalidPrefixes(String prefix) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> logs().prefix(prefix))
                .withMessageStartingWith("prefix ");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> logs().prefix("x".repeat(950)))
                .withMessageContaining("it has at most ");
    }

    @Test
    void takesTheKeyOfTheSettingsOrOfTheEnvironment() {
        Map<String, String> environment =
                Map.of("AWS_ACCESS_KEY_ID", "env-id", "AWS_SECRET_ACCESS_KEY", "env-secret-1");
        S3Settings.Builder without = S3Settings.builder().bucket("logs");
        assertThat(without.build(environment).sink("out")).isNotNull();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> without.build(Map.of()).sink("out"))
                .withMessage("accessKey and secretKey go together: set both, or the environment variables"
                        + " AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
        assertThatIllegalArgumentException()
                .as("halves of two keys are none")
                .isThrownBy(() -> without.accessKey("access").build(environment));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new S3Credentials("access", "a secret\n", null))
                .withMessage("secretKey accepts visible ASCII characters without blanks; what is given is not shown");
    }

    @Test
    void warnsOfBatchesThatDoNotFitIntoTheHeap() {
        assertThat(logs().build().warnings(BATCH_BYTES)).isEmpty();
        List<String> warnings = logs().build().warnings(256 << 20);
        if (Runtime.getRuntime().maxMemory() < 1L << 30) {
            assertThat(warnings)
                    .singleElement()
                    .asString()
                    .startsWith("for batch.bytes of 256 MiB the output may need 1024 MiB of heap");
        } else {
            assertThat(warnings).isEmpty();
        }
    }

    @Test
    void asksForTheBucketAndStoresNothing() throws Exception {
        try (S3Receiver receiver = new S3Receiver()) {
            receiver.start();
            S3Settings settings = logs().endpoint(receiver.uri()).build();
            Duration limit = Duration.ofSeconds(5);
            assertThat(settings.connect("out", limit))
                    .startsWith(receiver.uri() + "/logs answers HTTP 200 to a listing; whether it accepts objects");
            receiver.script(Reply.error(403, "AccessDenied"));
            assertThat(settings.connect("out", limit))
                    .contains("HTTP 403 to a listing, which this key may not ask for");
            receiver.script(Reply.error(403, "SignatureDoesNotMatch"));
            assertThatThrownBy(() -> settings.connect("out", limit))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith(
                            receiver.uri() + "/logs: HTTP 403 SignatureDoesNotMatch: secretKey does not");
            assertThat(receiver.puts()).isEmpty();
        }
    }
}
