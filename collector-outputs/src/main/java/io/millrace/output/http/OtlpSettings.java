package io.millrace.output.http;

import io.millrace.output.BatchSettings;
import io.millrace.output.OutputType;
import io.millrace.output.internal.http.HttpOptions;
import io.millrace.output.internal.http.HttpProtocol;
import io.millrace.output.internal.http.HttpTarget;
import io.millrace.output.internal.http.otlp.OtlpProtocol;
import io.millrace.setting.Settings;
import java.net.URI;

/** Settings of an output over OTLP, to an OpenTelemetry Collector or a server with its interface. */
public final class OtlpSettings extends HttpOutputSettings {
    /** The type {@code otlp}. */
    public static final OutputType TYPE = new OutputType(
            "otlp",
            "Exports log records over OTLP (HTTP, Protocol Buffers), to an OpenTelemetry Collector or a server with its interface."
                    + " `/v1/logs` is added to the URL.",
            HttpOptions.with(),
            BatchSettings.LARGE,
            OtlpSettings::new);

    private OtlpSettings(Settings values) {
        super(TYPE, values, HttpOptions.TOKEN, "Bearer");
    }

    /** Begins with the defaults: only the URL is required. */
    public static Builder builder() {
        return new Builder();
    }

    @Override
    public boolean writesBytes() {
        return false;
    }

    @Override
    HttpProtocol protocol() {
        return new OtlpProtocol();
    }

    @Override
    URI target() {
        return HttpTarget.of(url(), OtlpProtocol.PATH);
    }

    /** Builder of settings, whose names, meanings and defaults are those of the configuration reference. One thread. */
    public static final class Builder extends CredentialsBuilder<Builder> {
        private Builder() {}

        /** Checks the settings together. */
        public OtlpSettings build() {
            return new OtlpSettings(values());
        }
    }
}
