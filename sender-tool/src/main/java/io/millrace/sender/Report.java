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

/**
 * Tells the result of a run: in lines for people, and as a JSON object for programs.
 *
 * @param target as it was given
 * @param plan what was to be sent
 * @param result what was sent
 */
record Report(String target, SendPlan plan, SendResult result) {
    private static final double NANOS_PER_MILLI = 1e6;
    private static final int DECIMALS = 6;

    /** The run id as it stands in the payloads. */
    static String runId(int runId) {
        return Text.format("%08x", runId);
    }

    void writeSummary(PrintWriter out) {
        out.println(Text.format(
                "run %s: sent %s of %,d bytes to %s from %s in %.3f s%s",
                runId(plan.runId()),
                Text.counted(result.sent(), "datagram"),
                plan.size(),
                target,
                Text.counted(plan.sources(), "source"),
                result.elapsedSeconds(),
                result.stopped() ? " (stopped)" : ""));
        Rate asked = plan.rate();
        out.println(
                asked.isMax()
                        ? Text.format("rate: %,.1f/s, as fast as it went", result.achievedRate())
                        : Text.format(
                                "rate: %,.1f/s of %,.1f/s asked, %.2f %% missed",
                                result.achievedRate(), asked.perSecond(), result.missedPercent(asked)));
        out.println(Text.format(
                "late: %s by more than 1 ms, at most %,.3f ms",
                Text.counted(result.late(), "datagram"), result.maxLateNanos() / NANOS_PER_MILLI));
        out.println(Text.format(
                "refused: %,d, send errors: %,d, failed: %,d", result.refused(), result.sendErrors(), result.failed()));
        if (result.refused() > 0) {
            out.println("refused means that nothing listened on the port when a datagram arrived there");
        }
        if (result.firstError() != null) {
            out.println("first send error: " + result.firstError());
            out.println("last send error: " + result.lastError());
        }
        out.flush();
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
        json.writeStringField("to", target);
        json.writeNumberField("sources", plan.sources());
        json.writeNumberField("size", plan.size());
        if (plan.rate().isMax()) {
            json.writeNullField("targetRate");
        } else {
            json.writeNumberField("targetRate", plan.rate().perSecond());
        }
        json.writeNumberField("sent", result.sent());
        json.writeNumberField("failed", result.failed());
        json.writeNumberField("refused", result.refused());
        json.writeNumberField("sendErrors", result.sendErrors());
        json.writeNumberField("bytes", result.sent() * plan.size());
        json.writeNumberField("elapsedSeconds", rounded(result.elapsedSeconds()));
        json.writeNumberField("achievedRate", rounded(result.achievedRate()));
        json.writeNumberField("late", result.late());
        json.writeNumberField("maxLateMicros", result.maxLateNanos() / 1000);
        json.writeEndObject();
    }

    private static BigDecimal rounded(double value) {
        return BigDecimal.valueOf(value).setScale(DECIMALS, RoundingMode.HALF_UP);
    }
}
