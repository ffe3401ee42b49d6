package io.millrace.bench.subject;

import io.millrace.bench.host.ChildProcess;
import io.millrace.bench.host.Programs;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A self-signed certificate for a TLS receiver: ECDSA with P-256.
 *
 * @param file the certificate
 * @param key its private key
 */
record TestCertificate(Path file, Path key) {
    /** Names the files of a directory, without creating them. */
    static TestCertificate in(Path directory) {
        return new TestCertificate(directory.resolve("server.pem"), directory.resolve("server.key"));
    }

    static Optional<String> unavailable() {
        return PeerProgram.missing("openssl");
    }

    void create() throws IOException, InterruptedException {
        List<String> command = List.of(
                Programs.find("openssl").map(Path::toString).orElse("openssl"),
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:prime256v1",
                "-nodes",
                "-days",
                "2",
                "-subj",
                "/CN=localhost",
                "-keyout",
                key.toString(),
                "-out",
                file.toString());
        try (ChildProcess openssl = ChildProcess.start("openssl", command)) {
            if (openssl.awaitExit(Duration.ofSeconds(20)) != 0) {
                throw new IOException("openssl created no certificate: " + openssl.lastLines());
            }
        }
    }
}
