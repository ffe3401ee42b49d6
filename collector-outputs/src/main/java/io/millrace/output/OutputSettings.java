package io.millrace.output;

import io.millrace.message.LineFormat;
import io.millrace.output.internal.secret.Secrets;
import io.millrace.output.internal.tls.TlsOptions;
import io.millrace.setting.Setting;
import io.millrace.setting.SettingException;
import io.millrace.setting.SettingTypes;
import io.millrace.setting.Settings;
import io.millrace.sink.Sink;
import io.millrace.sink.SinkSettings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Checked settings of an output, from which its sinks are created. Immutable, but for the format, which is used by one sink at a time.
 *
 * <p>Values of secret settings are known from then on: errors and dead letters of all outputs show {@code ***} in their place.
 */
public abstract class OutputSettings {
    /** The formats, for descriptions. */
    public static final String FORMATS =
            "raw (the bytes as they came), json, json-flat, ecs (Elastic Common Schema), rfc5424, logfmt, or a template such as"
                    + " '{timestamp} {hostname} {appname}: {message}'";

    private static final Set<String> NAMES = Set.of("raw", "json", "json-flat", "ecs", "rfc5424", "logfmt");

    /** The format of messages. */
    public static final Setting<LineFormat> FORMAT = Setting.withDefault(
            "format",
            SettingTypes.parsed("FORMAT", FORMATS, OutputSettings::format),
            "json",
            "The format of messages, see docs/concepts/parsing.md.");

    /** The time zone of times in names. The configuration file has it once, for all outputs. */
    public static final Setting<ZoneId> TIME_ZONE =
            Setting.optional("timeZone", SettingTypes.ZONE, "that of this host", "The time zone of times in names.");

    private final OutputType type;
    private final Settings values;

    /**
     * Another collector, or a syslog server.
     *
     * @param host a name or an address
     * @param udp true for UDP, false for TCP
     */
    public record Destination(String host, int port, boolean udp) {}

    /**
     * A finding about a file that a setting names.
     *
     * @param isError true if the output will not work, false if it may not
     * @param text what is wrong, as a sentence without the name of the setting
     */
    public record FileFinding(Setting<?> setting, boolean isError, String text) {}

    /**
     * Checks that required settings are there.
     *
     * @throws SettingException if one is missing
     */
    protected OutputSettings(OutputType type, Settings values) {
        this.type = type;
        this.values = values;
        for (Setting<?> setting : type.settings()) {
            if (setting.isRequired() && !values.isSet(setting)) {
                throw new SettingException(setting, "is missing");
            }
            hide(setting);
        }
    }

    private static @Nullable LineFormat format(String text) {
        String name = text.toLowerCase(Locale.ROOT);
        return text.indexOf('{') >= 0 ? LineFormat.of(text) : NAMES.contains(name) ? LineFormat.of(name) : null;
    }

    private void hide(Setting<?> setting) {
        Object value = values.isSet(setting) ? values.find(setting) : null;
        Consumer<String> found = Secrets.known()::add;
        if (value instanceof String || value instanceof URI) {
            setting.type().secrets(value.toString(), List.of(), found);
        } else if (value instanceof Map<?, ?> map) {
            map.forEach((name, text) -> {
                if (setting.type().hides(String.valueOf(name))) {
                    found.accept(String.valueOf(text));
                }
            });
        }
    }

    /** The values that were given, and the defaults of others. */
    protected final Settings values() {
        return values;
    }

    /**
     * A time limit.
     *
     * @throws SettingException if it is zero
     */
    protected final Duration timeLimit(Setting<Duration> setting) {
        Duration limit = values.get(setting);
        if (limit.toMillis() < 1) {
            throw new SettingException(setting, "accepts a time of at least 1 ms, not " + limit);
        }
        return limit;
    }

    /** What is wrong with the files of TLS. */
    protected final List<FileFinding> checkTlsFiles() {
        return TlsOptions.checkFiles(values).stream()
                .map(each -> new FileFinding(TlsOptions.setting(each.part()), each.isError(), each.text()))
                .toList();
    }

    /** The zone of times in names. */
    protected final ZoneId zone() {
        return Objects.requireNonNullElseGet(values.find(TIME_ZONE), ZoneId::systemDefault);
    }

    /**
     * Creates a sink, which connects on demand. Threads as {@link Sink} says.
     *
     * @param output the name of the output, which some destinations see
     * @throws IllegalArgumentException if a client library does not take the settings
     */
    public abstract Sink sink(String output);

    /** The settings of a delivery to a sink of this type, with the batches that suit it. */
    public final SinkSettings delivery(String output) {
        return SinkSettings.of(output)
                .batches(Objects.requireNonNull(type.batch().bytes().defaultValue()))
                .linger(Objects.requireNonNull(type.batch().linger().defaultValue()));
    }

    /**
     * What is valid, and likely a mistake.
     *
     * @param batchBytes the bytes of a batch
     */
    public List<String> warnings(int batchBytes) {
        return List.of();
    }

    /** Reads the files that settings name, such as certificates. */
    public List<FileFinding> checkFiles() {
        return List.of();
    }

    /**
     * Tries to reach the destination. It sends nothing that the destination would store, and creates nothing.
     *
     * @param output the name of the output
     * @param limit the time limit
     * @return what answered, for people
     * @throws IOException if messages could not be delivered; the message says what failed
     */
    public String connect(String output, Duration limit) throws IOException, InterruptedException {
        return "nothing can be tried";
    }

    /** Where messages are sent that a collector understands; null if they are not. */
    public @Nullable Destination destination() {
        return null;
    }

    /** True if the bytes of messages are written, which changes of their fields do not affect. */
    public boolean writesBytes() {
        return values.get(FORMAT).writesBytes();
    }

    /** The file that no other output may write to; null if there is none, or if it depends on messages. */
    public @Nullable Path ownFile() {
        return null;
    }

    /** The own file, or the directory above all files, as far as it is known without messages; null if no files are written. */
    public @Nullable Path writesTo() {
        return ownFile();
    }

    /**
     * A builder. Each method checks its value, and {@code build()} checks them together. Both throw a {@link SettingException}. {@code
     * build()} throws an {@link IllegalStateException} if an optional library is not on the class path; the message names it. One thread.
     *
     * @param <B> the builder of a type of output
     */
    public abstract static class Builder<B extends Builder<B>> {
        private Settings values = Settings.DEFAULTS;

        /** Sets a value. */
        @SuppressWarnings("unchecked") // A builder extends this class with its own type.
        protected final <T> B set(Setting<T> setting, T value) {
            values = values.with(setting, value);
            return (B) this;
        }

        /** Sets a value that is written as text. */
        protected final <T> B parse(Setting<T> setting, String text) {
            try {
                return set(setting, setting.type().parse(text));
            } catch (SettingException e) {
                throw e;
            } catch (IllegalArgumentException e) {
                throw new SettingException(setting, String.valueOf(e.getMessage()), e);
            }
        }

        /** The values that were set. */
        protected final Settings values() {
            return values;
        }
    }

    /**
     * A builder with the settings of TLS. They take effect over TLS only.
     *
     * @param <B> the builder of a type of output
     */
    public abstract static class TlsBuilder<B extends TlsBuilder<B>> extends Builder<B> {
        /** The certificates to trust, in PEM. Then no others are. */
        public B caFile(Path file) {
            return set(TlsOptions.CA_FILE, file);
        }

        /** This host's certificate chain, in PEM. */
        public B certificateFile(Path file) {
            return set(TlsOptions.CERTIFICATE_FILE, file);
        }

        /** The private key of the certificate, in PEM, not encrypted. */
        public B keyFile(Path file) {
            return set(TlsOptions.KEY_FILE, file);
        }

        /** Whether the destination's certificate must match its host name. */
        public B verifyHostname(boolean verified) {
            return set(TlsOptions.VERIFY_HOSTNAME, verified);
        }
    }
}
