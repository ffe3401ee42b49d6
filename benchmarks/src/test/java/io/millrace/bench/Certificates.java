package io.millrace.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Certificates by openssl: {@code NAME.pem} and {@code NAME.key} in a folder. */
final class Certificates {
    private final Path directory;

    Certificates(Path directory) {
        this.directory = directory;
    }

    private String file(String name) {
        return directory.resolve(name).toString();
    }

    /** An authority, which signs itself. */
    void authority(String name) throws IOException, InterruptedException {
        newKey(
                "req",
                "-x509",
                "-days",
                "30",
                "-subj",
                "/CN=" + name,
                "-keyout",
                file(name + ".key"),
                "-out",
                file(name + ".pem"));
    }

    /** A certificate with alternative names. */
    void certificate(String name, String authority, String names) throws IOException, InterruptedException {
        newKey("req", "-subj", "/CN=" + name, "-keyout", file(name + ".key"), "-out", file(name + ".csr"));
        Files.writeString(Path.of(file(name + ".ext")), "subjectAltName=" + names + "\n");
        run(List.of(
                "x509",
                "-req",
                "-days",
                "30",
                "-CAcreateserial",
                "-in",
                file(name + ".csr"),
                "-CA",
                file(authority + ".pem"),
                "-CAkey",
                file(authority + ".key"),
                "-extfile",
                file(name + ".ext"),
                "-out",
                file(name + ".pem")));
    }

    private void newKey(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(arguments));
        command.addAll(List.of("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"));
        run(command);
    }

    private void run(List<String> arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("openssl"));
        command.addAll(arguments);
        Path log = directory.resolve("openssl.log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(log)).isZero();
    }
}
