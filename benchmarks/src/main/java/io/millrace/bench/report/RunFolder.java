package io.millrace.bench.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.millrace.bench.trial.TrialResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The folder of a run: {@code report.md report.html results.csv results.json}. */
public final class RunFolder {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    private static final String RESULTS = "results.json";

    private final DocumentFiles files;

    /** Creates the folder; it must not contain a run. */
    public RunFolder(Path folder) throws IOException {
        if (Files.exists(folder.resolve(RESULTS))) {
            throw new IllegalArgumentException(folder + " already contains a run: use another --out, or remove it");
        }
        this.files = new DocumentFiles(folder);
    }

    public Path path() {
        return files.path();
    }

    /** Replaces all four files. */
    public void write(RunData data, Document document) throws IOException {
        files.write(RESULTS, JSON.writeValueAsString(data) + "\n");
        files.write("results.csv", csv(data.trials()));
        files.write(document);
    }

    /** Reads a run from its folder, or from its {@code results.json} under any name. */
    public static RunData read(Path folder) throws IOException {
        Path file = Files.isRegularFile(folder) ? folder : folder.resolve(RESULTS);
        if (!Files.exists(file)) {
            throw new IllegalArgumentException(folder + " contains no run: there is no " + RESULTS);
        }
        try {
            RunData data = JSON.readValue(file.toFile(), RunData.class);
            if (data.trials() != null && data.environment() != null && data.settings() != null) {
                return data;
            }
        } catch (JsonProcessingException e) {
            // The message is below.
        }
        throw new IllegalArgumentException(file + " does not contain the results of a run");
    }

    private static String csv(List<TrialResult> trials) {
        StringBuilder out = new StringBuilder(
                "part,subject,round,rate,seconds,size,sources,gso_segments,pattern,sent,received,duplicated,reordered,drops,"
                        + "achieved_rate,ns_per_datagram,cpu_percent,asked_bytes,granted_bytes,queued_at_end_bytes,"
                        + "drain_seconds,memory_bytes,steal_percent,reported_lost,detail,void\n");
        for (TrialResult trial : trials) {
            Object[] cells = {
                quoted(trial.suite()),
                quoted(trial.subject()),
                trial.round(),
                trial.load().rate(),
                trial.load().seconds(),
                trial.load().size(),
                trial.load().sources(),
                trial.load().gsoSegments(),
                trial.load().pattern(),
                trial.sent(),
                trial.received(),
                trial.duplicated(),
                trial.reordered(),
                trial.drops(),
                decimal(trial.achievedRate()),
                decimal(trial.nanosPerDatagram()),
                decimal(trial.cpuPercent()),
                trial.askedBytes(),
                trial.grantedBytes(),
                trial.queuedAtEndBytes(),
                decimal(trial.drainSeconds()),
                trial.memoryBytes(),
                decimal(trial.stealPercent()),
                trial.reportedLost(),
                quoted(trial.detail()),
                quoted(trial.voidReason())
            };
            for (int i = 0; i < cells.length; i++) {
                out.append(i == 0 ? "" : ",").append(Objects.toString(cells[i], ""));
            }
            out.append('\n');
        }
        return out.toString();
    }

    private static String decimal(@Nullable Double value) {
        return value == null ? "" : String.format(Locale.ROOT, "%.3f", value);
    }

    private static String quoted(@Nullable String text) {
        return text == null ? "" : '"' + text.replace("\"", "\"\"").replace('\n', ' ') + '"';
    }
}
