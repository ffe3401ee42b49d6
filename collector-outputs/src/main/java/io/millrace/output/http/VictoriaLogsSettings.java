package io.millrace.output.http;

import io.millrace.internal.format.JsonFormat;
import io.millrace.output.BatchSettings;
import io.millrace.output.Compression;
import io.millrace.output.OutputType;
import io.millrace.output.internal.http.HttpOptions;
import io.millrace.output.internal.http.HttpProtocol;
import io.millrace.output.internal.http.HttpTarget;
import io.millrace.output.internal.http.victorialogs.VictoriaLogsProtocol;
import io.millrace.setting.Setting;
import io.millrace.setting.SettingException;
import io.millrace.setting.SettingTypes;
import io.millrace.setting.Settings;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Settings of an output to VictoriaLogs. */
public final class VictoriaLogsSettings extends HttpOutputSettings {
    static final Setting<List<String>> STREAM_FIELDS = Setting.withDefault(
            "streamFields",
            SettingTypes.texts("a list of fields such as hostname", VictoriaLogsSettings::checkField),
            "hostname,appname",
            "The fields that name a log stream: few values each, and none that changes with each message.");

    static final Setting<Time> TIME = Setting.withDefault(
            "time",
            SettingTypes.oneOf(Time.class),
            "receive-time",
            "The time of an entry. VictoriaLogs drops entries that are older than its retention, or too far in the future, and does"
                    + " not say so: with `timestamp` a device with a wrong clock loses its messages.");

    /** The type {@code victorialogs}. */
    public static final OutputType TYPE = new OutputType(
            "victorialogs",
            "Delivers to VictoriaLogs as JSON lines.",
            settings(),
            BatchSettings.LARGE,
            VictoriaLogsSettings::new);

    /** The time of an entry. */
    public enum Time {
        /** When the message was received. */
        RECEIVE_TIME,
        /** What the message says; without a timestamp, when it was received. */
        TIMESTAMP
    }

    private VictoriaLogsSettings(Settings values) {
        super(TYPE, values, HttpOptions.TOKEN, "Bearer");
        if (!(values.get(FORMAT) instanceof JsonFormat)) {
            throw new SettingException(FORMAT, "accepts json or json-flat for this type");
        }
    }

    private static void checkField(String field) {
        if (!field.matches("[A-Za-z0-9_.@-]+")) {
            throw new IllegalArgumentException("a field has letters, digits, dots, dashes and underscores");
        }
    }

    private static List<Setting<?>> settings() {
        List<Setting<?>> all = new ArrayList<>();
        all.add(FORMAT);
        all.addAll(HttpOptions.with(STREAM_FIELDS, TIME, HttpOptions.ZSTD));
        return all;
    }

    /** Begins with the defaults: only the URL is required. */
    public static Builder builder() {
        return new Builder();
    }

    @Override
    HttpProtocol protocol() {
        return new VictoriaLogsProtocol(values().get(FORMAT));
    }

    @Override
    URI target() {
        return HttpTarget.with(
                HttpTarget.of(url(), VictoriaLogsProtocol.PATH),
                "_stream_fields=" + String.join(",", values().get(STREAM_FIELDS))
                        + "&_msg_field=message&_time_field="
                        + values().get(TIME).name().toLowerCase(Locale.ROOT));
    }

    /** Builder of settings, whose names, meanings and defaults are those of the configuration reference. One thread. */
    public static final class Builder extends FormatBuilder<Builder> {
        private Builder() {}

        /** The fields that name a log stream. */
        public Builder streamFields(List<String> fields) {
            return set(STREAM_FIELDS, List.copyOf(fields));
        }

        /** The time of an entry. */
        public Builder time(Time time) {
            return set(TIME, time);
        }

        /** The compression of requests, by default Zstandard, which needs the library {@code com.github.luben:zstd-jni}. */
        @Override
        public Builder compression(Compression compression) {
            return set(HttpOptions.ZSTD, compression);
        }

        /** Checks the settings together. */
        public VictoriaLogsSettings build() {
            return new VictoriaLogsSettings(values());
        }
    }
}
