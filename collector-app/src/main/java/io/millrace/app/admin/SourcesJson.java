package io.millrace.app.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import io.millrace.app.report.Json;
import io.millrace.collector.SourcesStatus;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Writer of the field {@code sources} of {@code /api/status}, and of {@code /api/sources}. */
final class SourcesJson {
    private SourcesJson() {}

    /** Writes the field; null without source tracking. */
    static void write(JsonGenerator json, @Nullable SourcesStatus sources) throws IOException {
        if (sources == null) {
            json.writeNullField("sources");
            return;
        }
        json.writeObjectFieldStart("sources");
        json.writeNumberField("known", sources.known());
        json.writeNumberField("forgotten", sources.forgotten());
        json.writeNumberField("untracked", sources.untracked());
        json.writeNumberField("missing", sources.missing());
        json.writeNumberField("restarts", sources.restarts());
        json.writeNumberField("unfollowed", sources.unfollowed());
        json.writeNumberField("behind", sources.behind());
        json.writeNumberField("skipped", sources.skipped());
        json.writeBooleanField("numbering", sources.numbering());
        json.writeArrayFieldStart("top");
        for (SourcesStatus.Top each : sources.top()) {
            json.writeStartObject();
            json.writeStringField("source", each.source().toString());
            json.writeNumberField("perSecond", rounded(each.perSecond()));
            json.writeNumberField("bytesPerSecond", rounded(each.bytesPerSecond()));
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("silent");
        for (SourcesStatus.Silent each : sources.silent()) {
            json.writeStartObject();
            json.writeStringField("source", each.source().toString());
            json.writeStringField("lastHeard", each.lastHeard().toString());
            json.writeNumberField("usualSilenceMs", each.usualSilence().toMillis());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeNumberField("silentCount", sources.silentCount());
        json.writeArrayFieldStart("gaps");
        for (SourcesStatus.Gaps each : sources.gaps()) {
            json.writeStartObject();
            json.writeStringField("source", each.source().toString());
            json.writeNumberField("missing", each.missing());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    /**
     * The answer of {@code /api/sources}; null without source tracking.
     *
     * @param withHosts false to leave out the host names, which are a part of messages
     */
    static String of(SourcesStatus.@Nullable Found found, boolean withHosts) {
        return Json.object(json -> {
            if (found == null) {
                json.writeNullField("sources");
                return;
            }
            json.writeNumberField("matched", found.matched());
            json.writeArrayFieldStart("sources");
            for (SourcesStatus.Source each : found.sources()) {
                json.writeStartObject();
                json.writeStringField("source", each.source().toString());
                json.writeStringField("host", withHosts ? each.host() : null);
                json.writeBooleanField("relay", withHosts && each.relay());
                json.writeStringField("lastHeard", each.lastHeard().toString());
                json.writeNumberField("usualSilenceMs", each.usualSilence().toMillis());
                json.writeBooleanField("silent", each.silent());
                json.writeArrayFieldStart("perMinute");
                for (int count : each.perMinute()) {
                    json.writeNumber(count);
                }
                json.writeEndArray();
                json.writeEndObject();
            }
            json.writeEndArray();
        });
    }

    private static double rounded(double rate) {
        return Math.rint(rate * 10) / 10;
    }
}
