package io.millrace.bench.report;

import io.millrace.bench.trial.Load;
import io.millrace.bench.trial.TrialResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** The sections that every report ends with: how it was measured, on what, and what did not count. */
public final class Sections {
    static final String ENVIRONMENT = "Environment and settings";

    private Sections() {}

    /** A document with the first words of every report. */
    public static Document start(String title, RunData data) {
        Document document = new Document(title);
        document.text("Run of " + data.started() + ", mode " + data.mode()
                + (data.complete() ? "." : ". It is not complete: it goes on, or it was interrupted."));
        String command = data.settings().get(RunData.COMMAND);
        if (command != null) {
            document.code(command);
        }
        if (data.mode().equals("quick")) {
            document.text("A quick run shows that everything works. Its trials are too short for figures to quote.");
        }
        return document;
    }

    /** Adds the last sections. */
    public static Document end(Document document, RunData data) {
        List<List<String>> rows = new ArrayList<>();
        data.environment().forEach((name, value) -> rows.add(List.of(name, value)));
        data.settings().forEach((name, value) -> {
            if (!name.equals(RunData.COMMAND)) {
                rows.add(List.of(name, value));
            }
        });
        rows.add(List.of("receive buffer granted, bytes as the kernel counts", granted(data)));
        rows.add(List.of("time stolen by the hypervisor, median and range, %", steal(data)));
        document.heading(ENVIRONMENT).table(List.of("what", "value"), rows);
        document.text(
                "The sender is a process of its own on the same host; the kernel delivers each datagram on the"
                        + " sender's CPU, so its work is not in the receivers' figures. " + gso(data)
                        + " Every datagram carries a number; received means found again in what the receiver wrote, or counted by"
                        + " it if it writes nothing. The order within a round is the order of the receivers; rounds repeat it.");
        voids(document, data);
        document.heading("Receivers");
        for (RunData.SubjectData subject : data.subjects()) {
            document.text(subject.name() + ": " + subject.description()
                    + (subject.unavailable() == null ? "" : ". Not measured: " + subject.unavailable()) + ".");
            if (!subject.configuration().isEmpty()) {
                document.code(subject.configuration());
            }
        }
        return document;
    }

    private static void voids(Document document, RunData data) {
        List<List<String>> rows = data.trials().stream()
                .filter(trial -> !trial.valid())
                .map(trial -> List.of(trial.subject(), trial.load().toString(), String.valueOf(trial.voidReason())))
                .toList();
        if (!rows.isEmpty()) {
            document.heading("Trials that do not count").table(List.of("receiver", "load", "why"), rows);
        }
    }

    private static String gso(RunData data) {
        List<TrialResult> ran = data.trials().stream().filter(TrialResult::ran).toList();
        Set<Long> inBatches = ran.stream()
                .map(TrialResult::load)
                .filter(load -> load.gso() > 1)
                .map(Load::rate)
                .collect(Collectors.toSet());
        List<TrialResult> alone =
                ran.stream().filter(trial -> trial.load().gso() == 1).toList();
        if (inBatches.isEmpty()) {
            return "Every datagram was sent by a system call of its own.";
        }
        String sent = " sent with UDP_SEGMENT, " + Load.GSO
                + " datagrams a system call, and split by the kernel before they reached the socket";
        if (alone.isEmpty()) {
            return "All of it was" + sent + ".";
        }
        String uncut = alone.stream()
                .filter(trial -> inBatches.contains(trial.load().rate()))
                .map(TrialResult::subject)
                .distinct()
                .collect(Collectors.joining(", "));
        return String.format(
                Locale.ROOT,
                "What was to be sent at more than %,d a second was%s%s; the rest had a system call for each datagram."
                        + " Costs with and without are not to be compared.",
                Load.MAX_WITHOUT_GSO,
                sent,
                uncut.isEmpty() ? "" : " (but not for " + uncut + ", which would see GRO batches uncut)");
    }

    private static String granted(RunData data) {
        List<String> sizes = data.trials().stream()
                .map(TrialResult::grantedBytes)
                .filter(bytes -> bytes != null)
                .distinct()
                .sorted()
                .map(bytes -> String.format(Locale.ROOT, "%,d", bytes))
                .toList();
        return sizes.isEmpty() ? "unknown (ss is not installed)" : String.join(", ", sizes);
    }

    private static String steal(RunData data) {
        return Statistics.medianAndRange(
                data.trials().stream().map(TrialResult::stealPercent).toList(), "%.1f");
    }
}
