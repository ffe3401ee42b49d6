package io.millrace.sender.command;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import io.millrace.sender.payload.PayloadSizes;
import io.millrace.sender.run.SendResult;
import io.millrace.sender.schedule.SendPlan;
import io.millrace.sender.schedule.SourceLayout;
import io.millrace.sender.transmit.TransmitterFactory;
import io.millrace.sender.value.Text;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Report of a run, as text and as a JSON object.
 *
 * @param settings the settings
 * @param plan the plan
 * @param result the result
 */
record SendReport(Settings settings, SendPlan plan, SendResult result) {
    /**
     * The settings of a run.
     *
     * @param targets the targets from the command line
     * @param pattern the pattern of the payloads
     * @param sizes their lengths; null if they have their own
     * @param io the socket API
     * @param sourcesBy how sources were represented
     */
    record Settings(
            String targets, String pattern, @Nullable PayloadSizes sizes, String io, String sourcesBy) {}

    private static final double NANOS_PER_MILLI = 1e6;
    private static final int DECIMALS = 6;

    static String runId(int runId) {
        return Text.format("%08x", runId);
    }

    void writeSummary(PrintWriter out) {
        out.println(Text.format(
                "run %s: sent %s of %s to %s from %s in %.3f s%s",
                runId(plan.runId()),
                Text.counted(result.counts().sent, "datagram"),
                sizes(),
                settings.targets(),
                Text.counted(plan.layout().sources(), "source"),
                result.elapsedSeconds(),
                result.stopped() ? " (stopped)" : ""));
        out.println(
                plan.schedule().isMax()
                        ? Text.format("rate: %,.1f/s, not limited", result.achievedRate())
                        : Text.format(
                                "rate: %,.1f/s of %,.1f/s, %.2f %% missed",
                                result.achievedRate(), result.askedRate(), result.missedPercent()));
        out.println(Text.format(
                "late: %s by more than 1 ms, maximum %,.3f ms; not tried: %,d",
                Text.counted(result.counts().late, "datagram"),
                result.counts().maxLateNanos / NANOS_PER_MILLI,
                result.missedSlots()));
        out.println("sent by: " + transport());
        out.println(Text.format(
                "refused: %,d, send errors: %,d, failed: %,d",
                result.counts().refused, result.counts().sendErrors, result.counts().failed));
        if (result.counts().refused > 0) {
            out.println("refused: nothing listened on the port when a datagram arrived");
        }
        if (result.counts().firstError != null) {
            out.println("errors by name: " + errors());
            out.println("first send error: " + result.counts().firstError);
            out.println("last send error: " + result.counts().lastError);
        }
        out.flush();
    }

    private String sizes() {
        PayloadSizes sizes = settings.sizes();
        if (sizes == null) {
            return Text.format(
                    "%,.1f bytes on average",
                    result.counts().sent == 0 ? 0 : (double) result.counts().bytes / result.counts().sent);
        }
        return sizes.isFixed() ? Text.format("%,d bytes", sizes.min()) : sizes.text() + " bytes";
    }

    private String transport() {
        SourceLayout layout = plan.layout();
        StringBuilder text = new StringBuilder(
                settings.io().equals(settings.sourcesBy())
                        ? "the program millrace-sources"
                        : settings.io() + ", " + settings.sourcesBy());
        if (layout.threads() > 1) {
            text.append(", ").append(layout.threads()).append(" threads");
        }
        if (layout.segments() > 1) {
            text.append(Text.format(
                    isOnConnections() ? ", writes of %,d messages" : ", GSO batches of %,d datagrams (UDP_SEGMENT)",
                    layout.segments()));
        }
        return text.toString();
    }

    private boolean isOnConnections() {
        return settings.sourcesBy().equals(TransmitterFactory.Mode.CONNECTIONS.toString());
    }

    private String errors() {
        return result.counts().errors.entrySet().stream()
                .map(error -> Text.format("%s %,d", error.getKey(), error.getValue()))
                .collect(Collectors.joining(", "));
    }

    void writeJson(PrintWriter out) {
        JsonFactory factory = JsonFactory.builder()
                .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
                .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
                .build();
        try (JsonGenerator json = factory.createGenerator((Writer) out)) {
            writeFields(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a PrintWriter throws none
        }
        out.println();
        out.flush();
    }

    private void writeFields(JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeStringField("run", runId(plan.runId()));
        json.writeStringField("to", settings.targets());
        json.writeNumberField("sources", plan.layout().sources());
        PayloadSizes sizes = settings.sizes();
        if (sizes != null && sizes.isFixed()) {
            json.writeNumberField("size", sizes.min());
        } else {
            json.writeNullField("size");
        }
        writeAskedRate(json, "targetRate");
        json.writeNumberField("sent", result.counts().sent);
        json.writeNumberField("failed", result.counts().failed);
        json.writeNumberField("refused", result.counts().refused);
        json.writeNumberField("sendErrors", result.counts().sendErrors);
        json.writeNumberField("bytes", result.counts().bytes);
        json.writeNumberField("elapsedSeconds", rounded(result.elapsedSeconds()));
        json.writeNumberField("achievedRate", rounded(result.achievedRate()));
        json.writeNumberField("late", result.counts().late);
        json.writeNumberField("maxLateMicros", result.counts().maxLateNanos / 1000);
        writeAskedRate(json, "askedRate");
        json.writeNumberField("missedSlots", result.missedSlots());
        json.writeObjectFieldStart("errors");
        for (Map.Entry<String, Long> error : result.counts().errors.entrySet()) {
            json.writeNumberField(error.getKey(), error.getValue());
        }
        json.writeEndObject();
        json.writeStringField("pattern", settings.pattern());
        json.writeStringField("io", settings.io());
        json.writeNumberField("gso", isOnConnections() ? 1 : plan.layout().segments());
        json.writeNumberField("batch", plan.layout().segments());
        json.writeNumberField("burst", plan.layout().burst());
        json.writeNumberField("threads", plan.layout().threads());
        json.writeStringField("sourcesBy", settings.sourcesBy());
        json.writeEndObject();
    }

    private void writeAskedRate(JsonGenerator json, String name) throws IOException {
        if (plan.schedule().isMax()) {
            json.writeNullField(name);
        } else {
            json.writeNumberField(name, rounded(result.askedRate()).stripTrailingZeros());
        }
    }

    private static BigDecimal rounded(double value) {
        return BigDecimal.valueOf(value).setScale(DECIMALS, RoundingMode.HALF_UP);
    }
}
