package io.millrace.bench.report;

import io.millrace.bench.trial.Load;
import io.millrace.bench.trial.TrialResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** The first and last sections of every report: command, method, host, and invalid trials. */
public final class Sections {
    /** What quick runs say of themselves. */
    public static final String QUICK =
            "A quick run shows that everything works. Its trials are too short for results: use --full.";

    static final String ENVIRONMENT = "Environment and settings";

    private Sections() {}

    /** A document with the first section. */
    public static Document start(String title, RunData data) {
        Document document = new Document(title);
        document.text("Run of " + data.started() + ", mode " + data.mode()
                + (data.complete() ? "." : ". It is not complete: it is running, or it was interrupted."));
        String command = data.settings().get(RunData.COMMAND);
        if (command != null) {
            document.code(command);
        }
        if (data.mode().equals("quick")) {
            document.text(QUICK);
        }
        return document;
    }

    /** Adds the last sections. */
    public static Document end(Document document, RunData data) {
        return end(
                document,
                data,
                "The sender is a process of its own on the same host. The kernel delivers each datagram on the sender's CPU, so"
                        + " that CPU time is not part of the receivers' results. " + gso(data));
    }

    /**
     * The same for other senders.
     *
     * @param sender how messages were sent
     */
    public static Document end(Document document, RunData data, String sender) {
        List<List<String>> rows = new ArrayList<>();
        data.environment().forEach((name, value) -> rows.add(List.of(name, value)));
        data.settings().forEach((name, value) -> {
            if (!name.equals(RunData.COMMAND)) {
                rows.add(List.of(name, value));
            }
        });
        rows.add(List.of("granted receive buffer, bytes in units of the kernel", granted(data)));
        rows.add(List.of("CPU time stolen by the hypervisor, median and range, %", steal(data)));
        document.heading(ENVIRONMENT).table(List.of("property", "value"), rows);
        document.text(sender
                + " Each has a sequence number. Received are those in the output of the receiver, or its count if it"
                + " has no output. Each round has the same order of receivers.");
        invalidTrials(document, data);
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

    private static void invalidTrials(Document document, RunData data) {
        List<List<String>> rows = data.trials().stream()
                .filter(trial -> !trial.valid())
                .map(trial -> List.of(trial.subject(), trial.load().toString(), String.valueOf(trial.voidReason())))
                .toList();
        if (!rows.isEmpty()) {
            document.heading("Invalid trials").table(List.of("receiver", "load", "reason"), rows);
        }
    }

    private static String gso(RunData data) {
        List<TrialResult> ran = data.trials().stream().filter(TrialResult::ran).toList();
        Set<Long> withGso = ran.stream()
                .map(TrialResult::load)
                .filter(load -> load.gsoSegments() > 1)
                .map(Load::rate)
                .collect(Collectors.toSet());
        List<TrialResult> withoutGso =
                ran.stream().filter(trial -> trial.load().gsoSegments() == 1).toList();
        if (withGso.isEmpty()) {
            return "Every datagram was sent with its own system call.";
        }
        String segments = ran.stream()
                .map(trial -> trial.load().gsoSegments())
                .filter(count -> count > 1)
                .distinct()
                .sorted()
                .map(String::valueOf)
                .collect(Collectors.joining(" or "));
        String sent = " sent with UDP_SEGMENT, " + segments
                + " datagrams per system call, which the kernel splits before they reach the socket";
        if (withoutGso.isEmpty()) {
            return "All datagrams were" + sent + ".";
        }
        String unsplit = withoutGso.stream()
                .filter(trial -> withGso.contains(trial.load().rate()))
                .map(TrialResult::subject)
                .distinct()
                .collect(Collectors.joining(", "));
        return String.format(
                Locale.ROOT,
                "Rates above %,d/s were%s%s; lower rates had a system call per datagram."
                        + " CPU time with and without GSO is not comparable.",
                Load.MAX_RATE_WITHOUT_GSO,
                sent,
                unsplit.isEmpty() ? "" : " (except for " + unsplit + ", which would capture unsplit batches)");
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
