package io.millrace.output.http;

import io.millrace.internal.format.JsonFormat;
import io.millrace.message.LineFormat;
import io.millrace.output.BatchSettings;
import io.millrace.output.Compression;
import io.millrace.output.OutputType;
import io.millrace.output.internal.http.HttpOptions;
import io.millrace.output.internal.http.HttpProtocol;
import io.millrace.output.internal.http.HttpTarget;
import io.millrace.output.internal.http.clickhouse.ClickHouseProtocol;
import io.millrace.setting.Setting;
import io.millrace.setting.SettingException;
import io.millrace.setting.SettingTypes;
import io.millrace.setting.Settings;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/**
 * Settings of an output to ClickHouse, over its HTTP interface. The resource {@code clickhouse.sql} of this package is a table for it.
 */
public final class ClickHouseSettings extends HttpOutputSettings {
    private static final String IDENTIFIER = "[A-Za-z_][A-Za-z0-9_]*";

    static final Setting<LineFormat> ROWS = Setting.withDefault(
            FORMAT.key(),
            FORMAT.type(),
            "json",
            "The format of rows: `json` or `json-flat`. Each key is a column; keys without one are left out.");

    static final Setting<String> TABLE = Setting.required(
            "table",
            SettingTypes.parsed(
                    "TABLE",
                    "a table or DATABASE.TABLE, of letters, digits and underscores",
                    text -> text.matches(IDENTIFIER + "(\\." + IDENTIFIER + ")?") ? text : null),
            "The table, which must exist. Without a database, that of the user is taken.");

    /** The type {@code clickhouse}. */
    public static final OutputType TYPE = new OutputType(
            "clickhouse",
            "Inserts messages into a table of ClickHouse, a row each.",
            settings(),
            BatchSettings.LARGE,
            ClickHouseSettings::new);

    private ClickHouseSettings(Settings values) {
        super(TYPE, values, HttpOptions.TOKEN, "Bearer");
        if (!(values.get(ROWS) instanceof JsonFormat)) {
            throw new SettingException(ROWS, "accepts json or json-flat for this type");
        }
    }

    private static List<Setting<?>> settings() {
        List<Setting<?>> all = new ArrayList<>();
        all.add(ROWS);
        all.addAll(HttpOptions.with(List.of(HttpOptions.USER, HttpOptions.PASSWORD), TABLE, HttpOptions.ZSTD));
        return all;
    }

    /** Begins with the defaults: only the URL and the table are required. */
    public static Builder builder() {
        return new Builder();
    }

    @Override
    HttpProtocol protocol() {
        return new ClickHouseProtocol(values().get(ROWS));
    }

    @Override
    URI target() {
        String path = url().getRawPath();
        URI base = path == null || path.isEmpty() ? HttpTarget.of(url(), "/") : url();
        return HttpTarget.with(base, ClickHouseProtocol.parameters(values().get(TABLE)));
    }

    /** Builder of settings, whose names, meanings and defaults are those of the configuration reference. One thread. */
    public static final class Builder extends HttpOutputSettings.Builder<Builder> {
        private Builder() {}

        /** The format of rows: {@code json} or {@code json-flat}. */
        public Builder format(LineFormat format) {
            return set(ROWS, format);
        }

        /** The table, with its database if that is not the user's. Required. */
        public Builder table(String table) {
            return parse(TABLE, table);
        }

        /** The user, with a password. */
        public Builder user(String user) {
            return set(HttpOptions.USER, user);
        }

        /** The password of the user. */
        public Builder password(String password) {
            return set(HttpOptions.PASSWORD, password);
        }

        /** The compression of requests, by default Zstandard, which needs the library {@code com.github.luben:zstd-jni}. */
        @Override
        public Builder compression(Compression compression) {
            return set(HttpOptions.ZSTD, compression);
        }

        /** Checks the settings together. */
        public ClickHouseSettings build() {
            return new ClickHouseSettings(values());
        }
    }
}
