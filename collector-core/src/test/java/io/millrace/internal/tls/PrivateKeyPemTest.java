package io.millrace.internal.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys in the forms in which OpenSSL, cert-manager and others write them. */
class PrivateKeyPemTest {
    private static final Path OPENSSL = Path.of("/usr/bin/openssl");

    @TempDir
    private Path directory;

    /** Runs OpenSSL with arguments between blanks; DIR is the directory. */
    private void openssl(String arguments) throws Exception {
        assumeThat(OPENSSL).isExecutable();
        Process process = new ProcessBuilder(
                        (OPENSSL + " " + arguments.replace("DIR", directory.toString())).split(" ", -1))
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue())
                .as(Files.readString(directory.resolve("log")))
                .isZero();
    }

    private Path pem(String label, byte[] der) throws IOException {
        return Files.writeString(
                directory.resolve("key.pem"),
                "-----BEGIN " + label + "-----\n" + Base64.getMimeEncoder().encodeToString(der) + "\n-----END " + label
                        + "-----\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "genrsa -traditional -out DIR/key.pem 2048 | BEGIN RSA PRIVATE KEY",
                "genrsa -traditional -out DIR/key.pem 4096 | BEGIN RSA PRIVATE KEY",
                "genrsa -out DIR/key.pem 2048 | BEGIN PRIVATE KEY",
                "ecparam -genkey -name prime256v1 -out DIR/key.pem | BEGIN EC PARAMETERS",
                "ecparam -genkey -noout -name prime256v1 -out DIR/key.pem | BEGIN EC PRIVATE KEY",
                "ecparam -genkey -noout -name secp384r1 -out DIR/key.pem | BEGIN EC PRIVATE KEY",
                "ecparam -genkey -noout -name secp521r1 -out DIR/key.pem | BEGIN EC PRIVATE KEY",
                "genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out DIR/key.pem | BEGIN PRIVATE KEY",
                "genpkey -algorithm ed25519 -out DIR/key.pem | BEGIN PRIVATE KEY",
            })
    void keyOfEachFormIsThatOfItsCertificate(String command, String begins) throws Exception {
        openssl(command);
        Path key = directory.resolve("key.pem");
        assertThat(Files.readString(key)).contains(begins);
        openssl("req -x509 -new -key DIR/key.pem -subj /CN=a -days 100 -out DIR/cert.pem");
        Path certificate = directory.resolve("cert.pem");
        assertThat(new TlsFileCheck().own(certificate, key).findings()).isEmpty();
        assertThat(PemFiles.keys(certificate, key)).hasSize(1);
    }

    /** The command in the message makes a key that works. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "genrsa -traditional -aes256 -passout pass:secret -out DIR/key.pem 2048",
                "genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -aes256 -pass pass:secret -out DIR/key.pem",
            })
    void encryptedKeyIsRefusedWithTheCommand(String command) throws Exception {
        openssl(command);
        Path key = directory.resolve("key.pem");
        assertThatThrownBy(() -> PemFiles.privateKey(key))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        key + " holds no private key that can be used: its private key is encrypted, and Millrace asks"
                                + " for no passphrase; openssl pkcs8 -topk8 -nocrypt -in " + key
                                + " -out NEW makes one that can be used");
        openssl("pkcs8 -topk8 -nocrypt -in DIR/key.pem -out DIR/new.pem -passin pass:secret");
        assertThat(PemFiles.privateKey(directory.resolve("new.pem"))).isNotNull();
    }

    @Test
    void curveMayBeBesideTheKey() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        byte[] pkcs8 = generator.generateKeyPair().getPrivate().getEncoded();
        // The JDK leaves the curve out of the inner part, which begins behind version, algorithm and its own header.
        byte[] inner = Arrays.copyOfRange(pkcs8, 28, pkcs8.length);
        Path alone = pem("EC PRIVATE KEY", inner);
        assertThatThrownBy(() -> PemFiles.privateKey(alone))
                .isInstanceOf(IOException.class)
                .hasMessage(alone + " holds a private key that does not say its curve");
        String curve = "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n";
        Path both = Files.writeString(directory.resolve("both.pem"), curve + Files.readString(alone));
        assertThat(PemFiles.privateKey(both).getAlgorithm()).isEqualTo("EC");
    }

    @Test
    void anyPartOfAKeyIsAnErrorAndNoCrash() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        byte[] pkcs8 = generator.generateKeyPair().getPrivate().getEncoded();
        for (int length = 1; length < pkcs8.length; length++) {
            byte[] part = Arrays.copyOf(pkcs8, length);
            for (String label : new String[] {"PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY"}) {
                Path file = pem(label, part);
                assertThatThrownBy(() -> PemFiles.privateKey(file)).isInstanceOf(IOException.class);
            }
        }
    }
}
