package io.millrace.output.http;

import io.millrace.output.BatchSettings;
import io.millrace.output.OutputType;
import io.millrace.output.internal.http.HttpOptions;
import io.millrace.output.internal.http.HttpProtocol;
import io.millrace.output.internal.http.HttpTarget;
import io.millrace.output.internal.http.loki.LokiProtocol;
import io.millrace.setting.Setting;
import io.millrace.setting.SettingTypes;
import io.millrace.setting.Settings;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Settings of an output to Grafana Loki. */
public final class LokiSettings extends HttpOutputSettings {
    static final Setting<String> TENANT =
            Setting.optional("tenant", SettingTypes.TEXT, "none", "The tenant, in the header `X-Scope-OrgID`.");

    /** The type {@code loki}. */
    public static final OutputType TYPE = new OutputType(
            "loki",
            "Pushes messages to Grafana Loki, or to a server with its interface.",
            settings(),
            BatchSettings.LARGE,
            LokiSettings::new);

    private LokiSettings(Settings values) {
        super(TYPE, values, HttpOptions.TOKEN, "Bearer");
        LokiProtocol.checkLabels(values.find(LokiProtocol.LABELS));
    }

    private static List<Setting<?>> settings() {
        List<Setting<?>> all = new ArrayList<>();
        all.add(FORMAT);
        all.addAll(HttpOptions.with(
                LokiProtocol.LABELS, TENANT, LokiProtocol.NAMES.max(), LokiProtocol.NAMES.perMinute()));
        return all;
    }

    /** Begins with the defaults: only the URL is required. */
    public static Builder builder() {
        return new Builder();
    }

    @Override
    HttpProtocol protocol() {
        return new LokiProtocol(
                values().get(FORMAT), values().find(LokiProtocol.LABELS), LokiProtocol.NAMES.limit(values()));
    }

    @Override
    URI target() {
        return HttpTarget.of(url(), LokiProtocol.PATH);
    }

    @Override
    Map<String, String> ownHeaders() {
        String tenant = values().find(TENANT);
        return tenant == null ? Map.of() : Map.of("X-Scope-OrgID", tenant);
    }

    /** Builder of settings, whose names, meanings and defaults are those of the configuration reference. One thread. */
    public static final class Builder extends FormatBuilder<Builder> {
        private Builder() {}

        /** Labels by name. A value is a text, or a field in braces with few values. */
        public Builder labels(Map<String, String> labels) {
            return set(LokiProtocol.LABELS, Map.copyOf(labels));
        }

        /** The tenant. */
        public Builder tenant(String tenant) {
            return set(TENANT, tenant);
        }

        /** The limit of streams that fields of messages name within a day. */
        public Builder maxNames(int names) {
            return set(LokiProtocol.NAMES.max(), names);
        }

        /** The limit of new streams that fields of messages name per minute. */
        public Builder maxNewNames(int names) {
            return set(LokiProtocol.NAMES.perMinute(), names);
        }

        /** Checks the settings together. */
        public LokiSettings build() {
            return new LokiSettings(values());
        }
    }
}
