package io.millrace.output.kafka;

import io.millrace.output.internal.secret.PlainText;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.config.SslConfigs;
import org.jspecify.annotations.Nullable;

/** What the security properties of a producer mean together. */
final class KafkaSecurity {
    /** The mechanisms that send the password or the token itself. */
    private static final Set<String> SENDS_SECRET = Set.of("PLAIN", "OAUTHBEARER");

    private KafkaSecurity() {}

    /**
     * A warning of a property without effect, although somebody thinks that it protects the connection; null if there is none.
     *
     * @param properties those that the user gave
     */
    static @Nullable String unused(Map<String, String> properties) {
        String protocol = protocol(properties);
        boolean tls = protocol.endsWith("SSL");
        boolean sasl = protocol.startsWith("SASL");
        for (String property : new TreeSet<>(properties.keySet())) {
            boolean ofTls = property.startsWith("ssl.") && !property.equals(SslConfigs.SSL_PROTOCOL_CONFIG);
            if (ofTls && !tls) {
                return property + " has no effect with security.protocol " + protocol
                        + ": TLS is SSL, or SASL_SSL with a user";
            }
            if (property.startsWith("sasl.") && !sasl) {
                return property + " has no effect with security.protocol " + protocol + ": a user requires SASL_SSL";
            }
        }
        return null;
    }

    /** A warning if the password or the token can be read on the way to a broker; null if not. */
    static @Nullable String plain(Map<String, String> properties, List<String> brokers) {
        String mechanism = properties.getOrDefault(SaslConfigs.SASL_MECHANISM, SaslConfigs.DEFAULT_SASL_MECHANISM);
        if (!protocol(properties).equals("SASL_PLAINTEXT") || !SENDS_SECRET.contains(mechanism)) {
            return null;
        }
        return brokers.stream()
                .map(broker -> broker.replaceFirst(":\\d+$", ""))
                .filter(host -> !PlainText.isLoopback(host))
                .findFirst()
                .map(host -> "the password of " + mechanism + ": sent in plain text to " + host
                        + ", where everybody on the way can read it: use security.protocol SASL_SSL")
                .orElse(null);
    }

    private static String protocol(Map<String, String> properties) {
        return properties
                .getOrDefault(
                        CommonClientConfigs.SECURITY_PROTOCOL_CONFIG, CommonClientConfigs.DEFAULT_SECURITY_PROTOCOL)
                .toUpperCase(Locale.ROOT);
    }
}
