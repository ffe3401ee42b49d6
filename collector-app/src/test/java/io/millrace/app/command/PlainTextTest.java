package io.millrace.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.app.Main;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code config check} says about what is meant to be protected and is not: an error for settings of TLS, a warning for secrets. */
class PlainTextTest {
    @TempDir
    private Path directory;

    private record Result(int exitCode, String err) {}

    private Result check(String text) throws IOException {
        Path file = Files.writeString(directory.resolve("m.yaml"), text);
        PrintStream err = System.err;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        try {
            int exitCode = Main.execute("config", "check", "--no-files", file.toString());
            return new Result(exitCode, bytes.toString(StandardCharsets.UTF_8));
        } finally {
            System.setErr(err);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "outputs: {a: {type: syslog, host: h, caFile: /ca}}"
                        + " | :1:46: outputs.a.caFile takes effect with transport: tls only, and this output sends in plain text, with transport: tcp",
                "outputs: {a: {type: syslog, host: h, transport: udp, caFile: /ca}}"
                        + " | outputs.a.caFile takes effect with transport: tls only, and this output sends in plain text, with transport: udp",
                "outputs: {a: {type: syslog, host: h, certificateFile: /c, keyFile: /k}}"
                        + " | outputs.a.certificateFile takes effect with transport: tls only",
                "outputs: {a: {type: syslog, host: h, certificateFile: /c, keyFile: /k}}"
                        + " | outputs.a.keyFile takes effect with transport: tls only",
                "outputs: {a: {type: syslog, host: h, verifyHostname: off}}"
                        + " | outputs.a.verifyHostname takes effect with transport: tls only",
                "outputs: {a: {type: relp, host: h, caFile: /ca}}"
                        + " | outputs.a.caFile takes effect with transport: tls only, and this output sends in plain text, with transport: tcp",
                "outputs: {a: {type: http, url: 'http://h/', caFile: /ca}}"
                        + " | outputs.a.caFile takes effect with https:// only, and this URL begins with http://",
                "outputs: {a: {type: http, url: 'http://127.0.0.1:9200/', verifyHostname: off}}"
                        + " | outputs.a.verifyHostname takes effect with https:// only",
                "outputs: {a: {type: s3, bucket: logs, endpoint: 'http://h', accessKey: key-of-a-test, caFile: /ca}}"
                        + " | outputs.a.caFile takes effect with https:// only",
                "outputs: {a: {type: s3, bucket: logs, endpoint: 'http://h', accessKey: key-of-a-test, secretKey: words-of-a-test, caFile: /ca}}"
                        + " | outputs.a.caFile takes effect with https:// only",
                "alerts: {webhooks: {ops: {url: 'http://h/', caFile: /ca}}}"
                        + " | alerts.webhooks.ops.caFile takes effect with https:// only",
            })
    void settingsOfTlsWithoutTlsAreAnError(String line) throws IOException {
        String[] parts = line.split(" \\| ", 2);
        Result result = check(parts[0]);
        assertThat(result.err()).contains(parts[1]);
        assertThat(result.exitCode()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "outputs: {a: {type: http, url: 'http://search.example.com:9200/', user: u, password: hidden1}}"
                        + " | warning: FILE:1:11: outputs.a: password: sent in plain text to search.example.com, where everybody on the way can read it: use https://",
                "outputs: {a: {type: http, url: 'http://192.0.2.7/', token: hidden1}}"
                        + " | outputs.a: token: sent in plain text to 192.0.2.7",
                "outputs: {a: {type: http, url: 'http://[2001:db8::1]/', token: hidden1}}"
                        + " | outputs.a: token: sent in plain text to [2001:db8::1]",
                "outputs: {a: {type: http, url: 'http://h/', headers: {Authorization: hidden1, X-Scope-OrgID: ops}}}"
                        + " | outputs.a: the header Authorization: sent in plain text to h,",
                "outputs: {a: {type: http, url: 'http://h/', headers: {X-Api-Key: hidden1}}}"
                        + " | outputs.a: the header X-Api-Key: sent",
                "outputs: {a: {type: http, url: 'http://h/?key=hidden1'}}"
                        + " | outputs.a: a parameter of the URL: sent in plain text to h,",
                "outputs: {a: {type: s3, bucket: logs, endpoint: 'http://h', accessKey: key-of-a-test, secretKey: words-of-a-test, sessionToken: hidden1}}"
                        + " | outputs.a: sessionToken: sent in plain text to h,",
                "alerts: {webhooks: {ops: {url: 'http://hooks.example.com/', headers: {Authorization: hidden1}}}}"
                        + " | alerts.webhooks.ops: the header Authorization: sent in plain text to hooks.example.com",
                "alerts: {webhooks: {ops: {url: 'http://hooks.example.com/?token=hidden1'}}}"
                        + " | alerts.webhooks.ops: a parameter of the URL: sent in plain text to hooks.example.com",
                "outputs: {a: {type: kafka, brokers: ['127.0.0.1:9092', 'kafka1:9092'], topic: t, properties: {security.protocol: SASL_PLAINTEXT, sasl.mechanism: PLAIN, sasl.jaas.config: hidden1}}}"
                        + " | outputs.a: the password of PLAIN: sent in plain text to kafka1, where everybody on the way can read it: use security.protocol SASL_SSL",
                "outputs: {a: {type: kafka, brokers: 'h:9092', topic: t, properties: {ssl.truststore.location: /t}}}"
                        + " | outputs.a: ssl.truststore.location has no effect with security.protocol PLAINTEXT: TLS is SSL, or SASL_SSL with a user",
                "outputs: {a: {type: kafka, brokers: 'h:9092', topic: t, properties: {security.protocol: SASL_PLAINTEXT, ssl.keystore.location: /t}}}"
                        + " | ssl.keystore.location has no effect with security.protocol SASL_PLAINTEXT",
                "outputs: {a: {type: kafka, brokers: 'h:9092', topic: t, properties: {sasl.jaas.config: hidden1}}}"
                        + " | sasl.jaas.config has no effect with security.protocol PLAINTEXT: a user requires SASL_SSL",
            })
    void secretsInPlainTextAreAWarning(String line) throws IOException {
        String[] parts = line.split(" \\| ", 2);
        Result result = check(parts[0]);
        assertThat(result.err().lines())
                .singleElement()
                .asString()
                .contains(parts[1].replace("FILE", directory.resolve("m.yaml").toString()))
                .startsWith("warning: ")
                .doesNotContain("hidden");
        assertThat(result.exitCode()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "outputs: {a: {type: syslog, host: h, transport: tls, caFile: /ca}}",
                "outputs: {a: {type: syslog, host: h, verifyHostname: on}}",
                "outputs: {a: {type: http, url: 'https://h/', user: u, password: words-of-a-test, caFile: /ca}}",
                "outputs: {a: {type: http, url: 'http://localhost:9200/', user: u, password: words-of-a-test}}",
                "outputs: {a: {type: http, url: 'http://127.1.2.3/', token: words-of-a-test}}",
                "outputs: {a: {type: http, url: 'http://[::1]:9200/', token: words-of-a-test}}",
                "outputs: {a: {type: http, url: 'http://h/', headers: {X-Scope-OrgID: ops}}}",
                "outputs: {a: {type: http, url: 'http://h/?pretty=true'}}",
                "outputs: {a: {type: s3, bucket: logs, endpoint: 'http://h', accessKey: key-of-a-test, secretKey: words-of-a-test}}",
                "alerts: {webhooks: {ops: {url: 'http://hooks.example.com/'}}}",
                "outputs: {a: {type: kafka, brokers: 'h:9092', topic: t, properties: {security.protocol: SASL_PLAINTEXT, sasl.mechanism: SCRAM-SHA-512, sasl.jaas.config: words-of-a-test}}}",
                "outputs: {a: {type: kafka, brokers: 'h:9092', topic: t, properties: {security.protocol: SASL_SSL, sasl.mechanism: PLAIN, sasl.jaas.config: words-of-a-test}}}",
            })
    void whatIsProtectedOrNoSecretPasses(String text) throws IOException {
        assertThat(check(text)).isEqualTo(new Result(0, ""));
    }
}
