package io.millrace.app.sink.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.app.config.Config;
import io.millrace.app.config.ConfigException;
import io.millrace.app.config.ConfigLoader;
import io.millrace.app.config.OutputConfig;
import io.millrace.app.config.OutputTypes;
import io.millrace.app.config.Overrides;
import io.millrace.app.sink.s3.S3Place.Addressing;
import io.millrace.app.sink.s3.S3Receiver.Reply;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class S3OutputTest {
    private static final String KEY = "accessKey: access, secretKey: words-of-a-test";

    @TempDir
    private Path directory;

    private OutputConfig output(S3Output type, String settings) throws IOException {
        Path file = Files.writeString(
                directory.resolve("millrace.yaml"),
                "inputs: {in: {listen: '127.0.0.1:0'}}\noutputs:\n  out: {type: s3, " + settings + "}\n");
        Config config = new ConfigLoader(new OutputTypes(List.of(type)), Map.of()).load(file, new Overrides());
        return config.outputs().get(0);
    }

    private OutputConfig output(String settings) throws IOException {
        return output(new S3Output(Map.of()), settings);
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
                "http://h/x    | us-east-1 | logs  | endpoint takes http:// or https:// with a host",
                "ftp://h       | us-east-1 | logs  | endpoint takes",
                "http://u:p@h  | us-east-1 | logs  | endpoint takes",
                "http://h      | us east   | logs  | region takes a name such as eu-central-1, not us east",
                "http://h      | us-east-1 | Logs/ | bucket takes 3 to 63 small letters, digits, dots and dashes, not Logs/"
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
        assertThatThrownBy(() -> output("bucket: logs, " + KEY + ", prefix: '" + prefix + "'"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("outputs.out.prefix");
        assertThatThrownBy(() -> output("bucket: logs, " + KEY + ", prefix: '" + "x".repeat(950) + "'"))
                .hasMessageContaining("it has at most ");
    }

    @Test
    void takesTheKeyOfTheSettingsOrOfTheEnvironment() throws Exception {
        S3Output type = new S3Output(Map.of("AWS_ACCESS_KEY_ID", "env-id", "AWS_SECRET_ACCESS_KEY", "env-secret-1"));
        assertThat(type.sink(output(type, "bucket: logs"), ZoneOffset.UTC)).isNotNull();
        OutputConfig without = output("bucket: logs");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> without.type().sink(without, ZoneOffset.UTC))
                .withMessage("accessKey and secretKey go together: set both, or the environment variables"
                        + " AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
        OutputConfig half = output(type, "bucket: logs, accessKey: access");
        assertThatIllegalArgumentException()
                .as("halves of two keys are none")
                .isThrownBy(() -> half.type().sink(half, ZoneOffset.UTC));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new S3Credentials("access", "a secret\n", null))
                .withMessage("secretKey takes visible ASCII characters without blanks; what is given is not shown");
    }

    @Test
    void warnsOfBatchesThatDoNotFitIntoTheHeap() throws Exception {
        OutputConfig usual = output("bucket: logs, " + KEY);
        assertThat(usual.type().warnings(usual)).isEmpty();
        OutputConfig large = output("bucket: logs, " + KEY + ", batch: {bytes: 256M}");
        List<String> warnings = large.type().warnings(large);
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
            OutputConfig output = output("bucket: logs, endpoint: '" + receiver.uri() + "', " + KEY);
            Duration limit = Duration.ofSeconds(5);
            assertThat(output.type().connect(output, limit))
                    .startsWith(receiver.uri() + "/logs answers HTTP 200 to a listing; whether it takes objects");
            receiver.script(Reply.error(403, "AccessDenied"));
            assertThat(output.type().connect(output, limit))
                    .contains("HTTP 403 to a listing, which this key may not ask for");
            receiver.script(Reply.error(403, "SignatureDoesNotMatch"));
            assertThatThrownBy(() -> output.type().connect(output, limit))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith(
                            receiver.uri() + "/logs: HTTP 403 SignatureDoesNotMatch: secretKey does not");
            assertThat(receiver.puts()).isEmpty();
        }
    }
}
