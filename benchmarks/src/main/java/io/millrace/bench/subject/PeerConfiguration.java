package io.millrace.bench.subject;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** The configuration file of a peer: a file of {@code src/main/resources/peers} with the values of a run for its {@code @WORDS@}. */
final class PeerConfiguration {
    private final String file;
    private final Map<String, String> values = new LinkedHashMap<>();

    /** A file with the directory, the port and the receive buffer of a start. */
    PeerConfiguration(String file, LaunchSettings launch, int port) {
        this.file = file;
        with("DIRECTORY", launch.directory());
        with("PORT", port);
        with("RECEIVE_BUFFER", launch.receiveBufferBytes());
    }

    PeerConfiguration with(String word, Object value) {
        values.put("@" + word + "@", value.toString());
        return this;
    }

    String text() {
        String name = "/peers/" + file;
        try (InputStream in = PeerConfiguration.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the jar has no " + name);
            }
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            for (Map.Entry<String, String> each : values.entrySet()) {
                text = text.replace(each.getKey(), each.getValue());
            }
            return text;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
