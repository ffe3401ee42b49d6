package io.millrace.sender;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
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
 * Tells the result of a run: in lines for people, and as a JSON object for programs.
 *
 * @param asked what was to be sent
 * @param plan when it was to be sent
 * @param result what was sent
 */
record Report(Asked asked, SendPlan plan, SendResult result) {
    /**
     * What was to be sent, and how.
     *
     * @param targets as they were given
     * @param pattern the kind of payloads
     * @param sizes their lengths; null when each has its own
     * @param io by which means
     * @param sourcesBy how sources were had
     */
    record Asked(String targets, String pattern, @Nullable Sizes sizes, String io, String sourcesBy) {}

    private static final double NANOS_PER_MILLI = 1e6;
    private static final int DECIMALS = 6;

    /** The run id as it stands in the payloads. */
    static String runId(int runId) {
        return Text.format("%08x", runId);
    }

    void writeSummary(PrintWriter out) {
        out.println(Text.format(
                "run %s: sent %s of %s to %s from %s in %.3f s%s",
                runId(plan.runId()),
                Text.counted(result.sent(), "datagram"),
                sizes(),
                asked.targets(),
                Text.counted(plan.layout().sources(), "source"),
                result.elapsedSeconds(),
                result.stopped() ? " (stopped)" : ""));
        out.println(
                plan.schedule().isMax()
                        ? Text.format("rate: %,.1f/s, as fast as it went", result.achievedRate())
                        : Text.format(
                                "rate: %,.1f/s of %,.1f/s asked, %.2f %% missed",
                                result.achievedRate(), result.askedRate(), result.missedPercent()));
        out.println(Text.format(
                "late: %s by more than 1 ms, at most %,.3f ms; never tried: %,d",
                Text.counted(result.late(), "datagram"),
                result.maxLateNanos() / NANOS_PER_MILLI,
                result.missedSlots()));
        out.println("by: " + means());
        out.println(Text.format(
                "refused: %,d, send errors: %,d, failed: %,d", result.refused(), result.sendErrors(), result.failed()));
        if (result.refused() > 0) {
            out.println("refused means that nothing listened on the port when a datagram arrived there");
        }
        if (result.firstError() != null) {
            out.println("errors by name: " + errors());
            out.println("first send error: " + result.firstError());
            out.println("last send error: " + result.lastError());
        }
        out.flush();
    }

    private String sizes() {
        Sizes sizes = asked.sizes();
        if (sizes == null) {
            return Text.format(
                    "%,.1f bytes on average", result.sent() == 0 ? 0 : (double) result.bytes() / result.sent());
        }
        return sizes.isFixed() ? Text.format("%,d bytes", sizes.least()) : sizes.text() + " bytes";
    }

    private String means() {
        Layout layout = plan.layout();
        StringBuilder means = new StringBuilder(
                asked.io().equals(asked.sourcesBy())
                        ? "the program millrace-sources"
                        : asked.io() + ", " + asked.sourcesBy());
        if (layout.threads() > 1) {
            means.append(", ").append(layout.threads()).append(" threads");
        }
        if (layout.gso() > 1) {
            means.append(", GSO batches of ").append(layout.gso()).append(" datagrams (UDP_SEGMENT)");
        }
        return means.toString();
    }

    private String errors() {
        return result.errors().entrySet().stream()
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
        json.writeStringField("to", asked.targets());
        json.writeNumberField("sources", plan.layout().sources());
        Sizes sizes = asked.sizes();
        if (sizes != null && sizes.isFixed()) {
            json.writeNumberField("size", sizes.least());
        } else {
            json.writeNullField("size");
        }
        writeAskedRate(json, "targetRate");
        json.writeNumberField("sent", result.sent());
        json.writeNumberField("failed", result.failed());
        json.writeNumberField("refused", result.refused());
        json.writeNumberField("sendErrors", result.sendErrors());
        json.writeNumberField("bytes", result.bytes());
        json.writeNumberField("elapsedSeconds", rounded(result.elapsedSeconds()));
        json.writeNumberField("achievedRate", rounded(result.achievedRate()));
        json.writeNumberField("late", result.late());
        json.writeNumberField("maxLateMicros", result.maxLateNanos() / 1000);
        writeAskedRate(json, "askedRate");
        json.writeNumberField("missedSlots", result.missedSlots());
        json.writeObjectFieldStart("errors");
        for (Map.Entry<String, Long> error : result.errors().entrySet()) {
            json.writeNumberField(error.getKey(), error.getValue());
        }
        json.writeEndObject();
        json.writeStringField("pattern", asked.pattern());
        json.writeStringField("io", asked.io());
        json.writeNumberField("gso", plan.layout().gso());
        json.writeNumberField("burst", plan.layout().burst());
        json.writeNumberField("threads", plan.layout().threads());
        json.writeStringField("sourcesBy", asked.sourcesBy());
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
