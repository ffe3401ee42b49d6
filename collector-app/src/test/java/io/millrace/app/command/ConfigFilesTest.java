package io.millrace.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TestCertificate;
import io.millrace.app.Main;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code config check} says about certificates and keys: where, and with which exit code. */
class ConfigFilesTest {
    @TempDir
    private Path directory;

    private TestCertificate good;

    /** What a command did. */
    private record Result(int exitCode, String err) {}

    @BeforeEach
    void make() throws Exception {
        good = new TestCertificate(directory, "server", "DNS:localhost");
    }

    private Result check(String text, String... options) throws IOException {
        Path file = Files.writeString(
                directory.resolve("m.yaml"),
                text.replace("DIR", directory.toString()).replace('~', '\n'));
        String[] args = new String[options.length + 3];
        System.arraycopy(new String[] {"config", "check", file.toString()}, 0, args, 0, 3);
        System.arraycopy(options, 0, args, 3, options.length);
        PrintStream err = System.err;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        try {
            int exitCode = Main.execute(args);
            return new Result(exitCode, bytes.toString(StandardCharsets.UTF_8));
        } finally {
            System.setErr(err);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "inputs: {a: {listen: 'tls://127.0.0.1:9', tls: {certificateFile: DIR/server.pem, keyFile: DIR/server.key}}}",
                "admin: {certificateFile: DIR/server.pem, keyFile: DIR/server.key}",
                "outputs: {a: {type: syslog, host: h, transport: tls, caFile: DIR/server.pem}}",
                "outputs: {a: {type: http, url: 'https://h/', caFile: DIR/server.pem, certificateFile: DIR/server.pem, keyFile: DIR/server.key}}",
            })
    void goodFilesPass(String text) throws IOException {
        assertThat(check(text)).isEqualTo(new Result(0, ""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "inputs:~  a:~    listen: 'tls://127.0.0.1:9'~    tls:~      certificateFile: DIR/server.pem~      keyFile: DIR/none.key"
                        + " | :6:16: inputs.a.tls.keyFile: cannot read DIR/none.key: the file does not exist",
                "inputs:~  a:~    listen: 'relp://127.0.0.1:9'~    tls: {certificateFile: DIR/server.key, keyFile: DIR/server.key}"
                        + " | :4:28: inputs.a.tls.certificateFile: DIR/server.key holds no certificate: it holds a private key",
                "inputs:~  a:~    listen: 'tls://127.0.0.1:9'~    tls: {certificateFile: DIR/server.pem, keyFile: DIR/server.key, clientAuth: required, clientCaFile: DIR/m.yaml}"
                        + " | inputs.a.tls.clientCaFile: DIR/m.yaml holds no certificate: it is not certificates in PEM",
                "admin: {certificateFile: DIR/none.pem, keyFile: DIR/server.key}"
                        + " | :1:26: admin.certificateFile: cannot read DIR/none.pem",
                "outputs: {a: {type: http, url: 'https://h/', caFile: DIR/none.pem}}"
                        + " | :1:54: outputs.a.caFile: cannot read DIR/none.pem",
                "outputs: {a: {type: relp, host: h, transport: tls, certificateFile: DIR/server.pem, keyFile: DIR/server.pem}}"
                        + " | outputs.a.keyFile: DIR/server.pem holds no private key that can be used",
                "outputs: {a: {type: syslog, host: h, transport: tls, caFile: DIR/server.key}}"
                        + " | outputs.a.caFile: DIR/server.key holds no certificate",
            })
    void saysWhichSettingNamesABadFile(String line) throws IOException {
        String[] parts = line.split(" \\| ", 2);
        Result result = check(parts[0]);
        assertThat(result.err()).contains(parts[1].replace("DIR", directory.toString()));
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(check(parts[0], "--no-files")).isEqualTo(new Result(0, ""));
    }

    @Test
    void warnsOfACertificateThatExpiresSoon() throws Exception {
        new TestCertificate(directory, "soon", "DNS:localhost", -1, 22);
        Result result = check(
                "inputs: {a: {listen: 'tls://127.0.0.1:9', tls: {certificateFile: DIR/soon.pem, keyFile: DIR/soon.key}}}");
        assertThat(result.err()).startsWith("warning: ").contains("CN=soon expires in 20 days");
        assertThat(result.exitCode()).isZero();
    }

    /** They may be installed later, so a service starts without them. */
    @Test
    void programAndWebhooksOfAlertsAreChecked() throws Exception {
        Path plain = Files.writeString(directory.resolve("plain"), "");
        assertThat(check("alerts: {command: [/no/such/program]}").err())
                .contains("m.yaml:1:", "alerts.command: cannot run /no/such/program: there is no such file");
        assertThat(check("alerts: {command: [/tmp]}").err()).contains("cannot run /tmp: it is not a file");
        Result notExecutable = check("alerts: {command: [" + plain + "]}");
        assertThat(notExecutable.err()).contains("this user may not execute it; try chmod +x");
        assertThat(notExecutable.exitCode()).isEqualTo(1);
        assertThat(check("alerts: {webhooks: {ops: {url: 'https://example.com/', caFile: DIR/none.pem}}}")
                        .err())
                .contains("alerts.webhooks.ops.caFile: ", "none.pem");
    }

    private Result kafka(String properties) throws IOException {
        return check("outputs: {a: {type: kafka, brokers: ['k:9'], topic: t, properties: {" + properties + "}}}");
    }

    @Test
    void readsTheStoresOfKafka() throws Exception {
        new TestCertificate(directory, "expired", "DNS:localhost", -10, 5);
        trustStore("good.p12", "server.pem");
        trustStore("expired.p12", "expired.pem");
        String tls = "security.protocol: SSL, ssl.truststore.location: DIR/";
        String p12 = ", ssl.truststore.type: PKCS12, ssl.truststore.password: words-of-a-test";
        assertThat(kafka(tls + "good.p12" + p12)).isEqualTo(new Result(0, ""));
        assertThat(kafka(tls + "server.pem, ssl.truststore.type: PEM")).isEqualTo(new Result(0, ""));
        assertThat(kafka(tls + "none.p12" + p12).err())
                .contains("outputs.a.properties: ssl.truststore.location: cannot read " + directory
                        + "/none.p12: the file does not exist");
        assertThat(kafka(tls + "expired.p12" + p12).err())
                .startsWith("warning: ")
                .contains("the certificate CN=expired has expired");
        Result wrong = kafka(tls + "good.p12, ssl.truststore.type: PKCS12, ssl.truststore.password: guessed-words");
        assertThat(wrong.err()).contains("good.p12", "its password is wrong").doesNotContain("guessed-words");
        assertThat(wrong.exitCode()).isEqualTo(1);
        assertThat(kafka(tls + "server.pem" + p12).err()).contains("server.pem", "JKS, PKCS12 or PEM");
    }

    @Test
    void readsTheKeysOfKafka() throws Exception {
        Files.writeString(
                directory.resolve("both.pem"),
                Files.readString(good.keyFile()) + Files.readString(good.certificateFile()));
        TestCertificate other = new TestCertificate(directory, "other", "DNS:localhost");
        Files.writeString(
                directory.resolve("mixed.pem"),
                Files.readString(other.keyFile()) + Files.readString(good.certificateFile()));
        String tls = "security.protocol: SSL, ssl.keystore.type: PEM, ssl.keystore.location: DIR/";
        assertThat(kafka(tls + "both.pem")).isEqualTo(new Result(0, ""));
        assertThat(kafka(tls + "mixed.pem").err()).contains("is not the private key of the first certificate");
        assertThat(kafka(tls + "server.pem").exitCode()).isEqualTo(1);
    }

    @Test
    void warnsOfStoresThatKafkaDoesNotRead() throws Exception {
        Result result = kafka("ssl.truststore.location: DIR/none.p12");
        assertThat(result.err()).contains("ssl.truststore.location has no effect with security.protocol PLAINTEXT");
        assertThat(result.exitCode()).isZero();
    }

    private void trustStore(String name, String certificateFile) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        Certificate certificate = CertificateFactory.getInstance("X.509")
                .generateCertificates(Files.newInputStream(directory.resolve(certificateFile)))
                .iterator()
                .next();
        store.setCertificateEntry("ca", certificate);
        try (OutputStream out = Files.newOutputStream(directory.resolve(name))) {
            store.store(out, "words-of-a-test".toCharArray());
        }
    }

    @Test
    void checksTheDataDirectoryAndTheHostOfAnOutput() throws IOException {
        Path file = Files.writeString(directory.resolve("data"), "");
        Result taken = check("data: DIR/data");
        assertThat(taken.exitCode()).isEqualTo(1);
        assertThat(taken.err()).contains("m.yaml:1:7: data: " + file + " is a file; accepts the path of a directory");
        assertThat(check("data: DIR").exitCode()).isZero();

        Result withPort = check("outputs: {a: {type: syslog, host: '10.0.0.1:514'}}");
        assertThat(withPort.exitCode()).isEqualTo(2);
        assertThat(withPort.err()).contains("outputs.a.host: the port is a setting of its own");
        assertThat(check("outputs: {a: {type: syslog, host: '2001:db8::1'}}").exitCode())
                .isZero();
        assertThat(check("outputs: {a: {type: relp, host: 'tcp://siem'}}").err())
                .contains("outputs.a.host accepts the name or the address of a host, not 'tcp://siem'");
    }

    @Test
    void warnsOfALoopAndOfALongLinger() throws IOException {
        String inputs = "inputs: {u: {listen: '0.0.0.0:5514'}, t: {listen: 'tcp://127.0.0.1:5515'}}~";
        Result udp = check(inputs + "outputs: {a: {type: syslog, host: localhost, port: 5514, transport: udp}}");
        assertThat(udp.exitCode()).isZero();
        assertThat(udp.err())
                .contains("warning: ", "outputs.a: it sends to input 'u' of this service: each message comes back");
        assertThat(check(inputs + "outputs: {a: {type: syslog, host: 127.0.0.1, port: 5515}}")
                        .err())
                .contains("outputs.a: it sends to input 't'");
        assertThat(check(inputs + "outputs: {a: {type: syslog, host: 127.0.0.1, port: 5514}}")
                        .err())
                .doesNotContain("comes back");
        assertThat(check(inputs + "outputs: {a: {type: syslog, host: siem, port: 5515}}")
                        .err())
                .doesNotContain("comes back");
        assertThat(check("outputs: {a: {type: file, path: DIR/x, batch: {linger: 10m}}}")
                        .err())
                .contains("outputs.a: batch.linger is 600 s, and from alerts.outputLag on, which is 300 s");
    }

    @Test
    void warnsOfATimeOfOtherProgramsInAPath() throws IOException {
        Result result = check("outputs: {a: {type: file, path: DIR/%Y/all.log}}");
        assertThat(result.exitCode()).isZero();
        assertThat(result.err())
                .contains("warning: ", "outputs.a: in '", "/%Y/all.log' %Y is text, not a time; did you mean {year}?");
    }
}
