package io.millrace.output.kafka;

import io.millrace.internal.tls.TlsFileCheck;
import io.millrace.output.OutputSettings.FileFinding;
import io.millrace.output.internal.secret.Secrets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.UnrecoverableKeyException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.crypto.BadPaddingException;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.common.security.ssl.DefaultSslEngineFactory;
import org.jspecify.annotations.Nullable;

/** Check of the key and trust stores in the properties of a producer. Kafka's own class reads them, so that it finds what a start finds. */
final class KafkaFiles {
    private static final List<String> LOCATIONS =
            List.of(SslConfigs.SSL_TRUSTSTORE_LOCATION_CONFIG, SslConfigs.SSL_KEYSTORE_LOCATION_CONFIG);

    /** For stores that stand in a property and not in a file. */
    private static final Path NO_FILE = Path.of("properties");

    private KafkaFiles() {}

    /**
     * Reads the stores.
     *
     * @param properties all of the producer's
     */
    static List<FileFinding> check(Map<String, Object> properties) {
        List<FileFinding> findings = new ArrayList<>();
        ProducerConfig config = new ProducerConfig(new HashMap<>(properties));
        String protocol = config.getString(CommonClientConfigs.SECURITY_PROTOCOL_CONFIG);
        if (!protocol.endsWith("SSL")) {
            return findings;
        }
        boolean readable = true;
        for (String property : LOCATIONS) {
            String location = config.getString(property);
            String problem = location == null ? null : problem(Path.of(location));
            if (problem != null) {
                findings.add(finding(true, property + ": cannot read " + location + ": " + problem));
                readable = false;
            }
        }
        // A class of the user may read anything.
        if (readable && config.getClass(SslConfigs.SSL_ENGINE_FACTORY_CLASS_CONFIG) == null) {
            load(config, findings);
        }
        return findings;
    }

    private static FileFinding finding(boolean isError, String text) {
        return new FileFinding(KafkaSettings.PROPERTIES, isError, text);
    }

    private static @Nullable String problem(Path file) {
        return !Files.exists(file)
                ? "the file does not exist"
                : !Files.isRegularFile(file)
                        ? "it is not a regular file"
                        : Files.isReadable(file)
                                ? null
                                : "the user " + System.getProperty("user.name") + " has no permission";
    }

    private static void load(ProducerConfig config, List<FileFinding> findings) {
        try (DefaultSslEngineFactory factory = new DefaultSslEngineFactory()) {
            factory.configure(config.values());
            TlsFileCheck check = new TlsFileCheck();
            store(check, config.getString(SslConfigs.SSL_TRUSTSTORE_LOCATION_CONFIG), factory.truststore(), null);
            store(check, config.getString(SslConfigs.SSL_KEYSTORE_LOCATION_CONFIG), factory.keystore(), key(config));
            check.findings().forEach(each -> findings.add(finding(each.isError(), each.text())));
        } catch (KafkaException e) {
            findings.add(finding(
                    true,
                    Secrets.known().redact(text(e)) + ": check the file, its type (ssl.keystore.type,"
                            + " ssl.truststore.type: JKS, PKCS12 or PEM) and its password"));
        }
    }

    private static void store(
            TlsFileCheck check, @Nullable String location, @Nullable KeyStore store, @Nullable Password password) {
        if (store != null) {
            check.store(
                    location == null ? NO_FILE : Path.of(location),
                    store,
                    password == null ? null : password.value().toCharArray());
        }
    }

    /** The password of the key, which is that of its store by default. */
    private static @Nullable Password key(ProducerConfig config) {
        Password own = config.getPassword(SslConfigs.SSL_KEY_PASSWORD_CONFIG);
        return own == null ? config.getPassword(SslConfigs.SSL_KEYSTORE_PASSWORD_CONFIG) : own;
    }

    /** The message of Kafka, which names the file, and that of the first cause. */
    private static String text(KafkaException failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
            if (root instanceof UnrecoverableKeyException || root instanceof BadPaddingException) {
                return failure.getMessage() + ": its password is wrong or missing";
            }
        }
        return root == failure || root.getMessage() == null
                ? String.valueOf(failure.getMessage())
                : failure.getMessage() + ": " + root.getMessage();
    }
}
