package io.millrace.app.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Formatter of findings: the most severe first, the good ones in one block. */
public final class DoctorText {
    private static final int WIDTH = 110;
    private static final String INDENT = "             ";

    private final StringBuilder out = new StringBuilder();

    private DoctorText() {}

    public static String of(List<Finding> findings, DoctorSettings settings) {
        DoctorText text = new DoctorText();
        for (FindingSeverity severity : FindingSeverity.values()) {
            List<Finding> these =
                    findings.stream().filter(it -> it.severity() == severity).toList();
            if (!these.isEmpty()) {
                text.section(severity, these);
            }
        }
        text.out.append("Looked at for ").append(settings.rateText());
        text.out.append(settings.rateGiven() ? "" : "; --rate says another").append(".\n");
        return text.out.toString();
    }

    private void section(FindingSeverity severity, List<Finding> findings) {
        out.append(severity.text().toUpperCase(Locale.ROOT)).append(": ");
        out.append(severity.meaning()).append('\n');
        switch (severity) {
            case OK -> wrapped("  ", "  ", findings.stream().map(Finding::name).collect(Collectors.joining(", ")));
            case UNAVAILABLE -> findings.forEach(it -> wrapped("  ", INDENT, it.name() + ": " + it.seen()));
            default -> findings.forEach(this::finding);
        }
        out.append('\n');
    }

    private void finding(Finding finding) {
        wrapped("  ", "    ", finding.name() + ": " + finding.seen());
        wrapped("    seen in  ", INDENT, finding.source());
        wrapped("    why      ", INDENT, finding.diagnosis().why());
        finding.remediation().now().forEach(it -> line("    now      ", it));
        finding.remediation().lasting().forEach(it -> line("    lasting  ", it));
        if (!finding.remediation().advice().isEmpty()) {
            wrapped("    advice   ", INDENT, finding.remediation().advice());
        }
    }

    /** Commands are never wrapped, so that they can be copied. */
    private void line(String head, String text) {
        out.append(head).append(text).append('\n');
    }

    private void wrapped(String head, String indent, String text) {
        wrap(head, indent, text).forEach(it -> out.append(it).append('\n'));
    }

    /** Wraps text at word boundaries. */
    static List<String> wrap(String head, String indent, String text) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder(head);
        boolean fresh = true;
        for (String word : text.split(" ", -1)) {
            if (!fresh && line.length() + 1 + word.length() > WIDTH) {
                lines.add(line.toString());
                line = new StringBuilder(indent);
                fresh = true;
            }
            line.append(fresh ? "" : " ").append(word);
            fresh = false;
        }
        lines.add(line.toString());
        return lines;
    }
}
