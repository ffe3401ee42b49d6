package io.millrace.app.doctor;

import static io.millrace.app.doctor.Diagnosis.NIC_INTERRUPTS;

import io.millrace.app.doctor.Interfaces.Nic;
import io.millrace.app.doctor.Remediation.Interrupt;
import io.millrace.app.doctor.Remediation.Step;
import io.millrace.app.doctor.host.Amounts;
import io.millrace.app.doctor.host.Host;
import io.millrace.internal.linux.ProcText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Check of the CPUs that handle a card's interrupts. */
final class InterruptsCheck {
    private static final String PATH = "/proc/interrupts";

    /** Interrupts of a card that do not belong to a receive queue. */
    private static final Pattern OTHER = Pattern.compile(
            ".*(output|[-_]tx(?!-?rx)|config|async|misc|event|ctrl|control|mgmt|mgmnt|fdir|link|cmd|admin).*",
            Pattern.CASE_INSENSITIVE);

    private InterruptsCheck() {}

    private record Line(int number, List<Long> counts, String name) {
        long sum() {
            return counts.stream().mapToLong(Long::longValue).sum();
        }
    }

    static void look(Examination examination) {
        List<Nic> hardware = examination.interfaces().hardware();
        String text = hardware.isEmpty() ? null : examination.file(NIC_INTERRUPTS, PATH);
        if (text == null) {
            return;
        }
        List<Line> lines = lines(text);
        for (Nic nic : hardware) {
            judge(examination, nic, ofQueues(examination.host(), nic, lines));
        }
    }

    private static List<Line> lines(String text) {
        List<String> all = text.lines().toList();
        List<Line> lines = new ArrayList<>();
        int cpus = all.isEmpty() ? 0 : ProcText.words(all.get(0)).length;
        for (String line : all) {
            String[] words = ProcText.words(line);
            if (words[0].matches("\\d{1,6}:") && words.length > cpus + 1) {
                List<Long> counts = Arrays.stream(words, 1, cpus + 1)
                        .map(ProcText::number)
                        .map(it -> it == null ? Long.valueOf(0) : it)
                        .toList();
                int number = Integer.parseInt(words[0].substring(0, words[0].length() - 1));
                lines.add(new Line(number, counts, words[words.length - 1]));
            }
        }
        return lines;
    }

    /**
     * Finds interrupts by the numbers of the card's device (of a virtio card one directory higher), or by the
     * interface's name.
     */
    private static List<Line> ofQueues(Host host, Nic nic, List<Line> lines) {
        Set<String> numbers = new HashSet<>(host.list(nic.path("device/msi_irqs")));
        if (numbers.isEmpty()) {
            numbers.addAll(host.list(nic.path("device/../msi_irqs")));
        }
        return lines.stream()
                .filter(it -> numbers.isEmpty()
                        ? it.name().matches(Pattern.quote(nic.name()) + "\\b.*")
                        : numbers.contains(String.valueOf(it.number())))
                .filter(it -> !OTHER.matcher(it.name()).matches() && !it.name().equals(nic.name()))
                .filter(it -> it.sum() > 0)
                .toList();
    }

    private static void judge(Examination examination, Nic nic, List<Line> lines) {
        Set<Integer> cpus = new HashSet<>();
        for (Line line : lines) {
            for (int i = 0; i < line.counts().size(); i++) {
                // A few occur on other CPUs when an interrupt moves.
                if (line.counts().get(i) * 20 > line.sum()) {
                    cpus.add(i);
                }
            }
        }
        int all = examination.cpus();
        if (lines.isEmpty()) {
            examination.unavailable(NIC_INTERRUPTS, nic.name(), "no interrupts of its queues are to be seen", PATH);
        } else if (lines.size() < 2 || all < 2 || cpus.size() > 1) {
            String seen =
                    Amounts.count(lines.size(), "queue") + " on " + Amounts.count(Math.max(1, cpus.size()), "CPU");
            examination.ok(NIC_INTERRUPTS, nic.name(), seen, PATH);
        } else {
            List<Step> steps = new ArrayList<>();
            for (int i = 0; i < lines.size(); i++) {
                steps.add(new Interrupt(lines.get(i).number(), i % all));
            }
            Remediation spread =
                    new Remediation(steps, "some drivers keep their interrupts where they are, and the write fails");
            String seen = "CPU " + cpus.iterator().next() + " took all of " + lines.size() + " queues";
            examination.add(NIC_INTERRUPTS, FindingSeverity.RISK, nic.name(), seen, PATH, spread);
        }
    }
}
