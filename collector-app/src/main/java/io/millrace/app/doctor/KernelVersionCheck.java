package io.millrace.app.doctor;

import static io.millrace.app.doctor.Diagnosis.KERNEL_VERSION;

import io.millrace.collector.CollectorSettings;
import io.millrace.collector.Steering;
import io.millrace.internal.linux.ProcText;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Check whether the kernel supports the configuration. */
final class KernelVersionCheck {
    private static final String PATH = "/proc/sys/kernel/osrelease";
    private static final Pattern VERSION = Pattern.compile("(\\d{1,4})\\.(\\d{1,4}).*", Pattern.DOTALL);

    private KernelVersionCheck() {}

    static void look(Examination examination) {
        String text = examination.file(KERNEL_VERSION, PATH);
        if (text == null) {
            return;
        }
        Matcher matcher = VERSION.matcher(text.strip());
        if (!matcher.matches()) {
            examination.unavailable(KERNEL_VERSION, "", "no version: " + ProcText.oneLine(text), PATH);
            return;
        }
        int version = Integer.parseInt(matcher.group(1)) * 10_000 + Integer.parseInt(matcher.group(2));
        CollectorSettings collector = examination.settings().collector();
        List<String> lacks = new ArrayList<>();
        if (version < 4_0012) {
            lacks.add("SO_MEMINFO: what is dropped at the sockets cannot be read with native and epoll");
        }
        boolean refused = false;
        if (version < 4_0005 && collector.get(CollectorSettings.STEERING) != Steering.HASH) {
            lacks.add("steering by BPF: receive.steering is refused");
            refused = true;
        }
        if (version < 5_0000 && collector.get(CollectorSettings.GRO)) {
            lacks.add("UDP_GRO: receive.gro is refused");
            refused = true;
        }
        if (lacks.isEmpty()) {
            examination.ok(KERNEL_VERSION, "Linux " + text.strip(), PATH);
        } else {
            examination.add(
                    KERNEL_VERSION,
                    refused ? FindingSeverity.RISK : FindingSeverity.NOTE,
                    "Linux " + text.strip() + " lacks " + String.join("; ", lacks),
                    PATH,
                    Remediation.advice("a newer kernel, or other settings"));
        }
    }
}
