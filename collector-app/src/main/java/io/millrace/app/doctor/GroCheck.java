package io.millrace.app.doctor;

import static io.millrace.app.doctor.Diagnosis.NIC_GRO;

import io.millrace.app.doctor.Interfaces.Nic;
import io.millrace.collector.CollectorSettings;
import io.millrace.internal.linux.ProcText;

/** Check whether interfaces create GRO batches. */
final class GroCheck {
    private GroCheck() {}

    static void look(Examination examination) {
        if (!examination.settings().collector().get(CollectorSettings.GRO)) {
            examination.ok(NIC_GRO, "receive.gro is off", "the configuration");
            return;
        }
        for (Nic nic : examination.interfaces().hardware()) {
            String text = examination.tool(NIC_GRO, nic.name(), "ethtool", "-k", nic.name());
            if (text == null) {
                continue;
            }
            String source = "ethtool -k " + nic.name();
            String value = ProcText.field(text, "generic-receive-offload");
            if (value == null) {
                examination.unavailable(NIC_GRO, nic.name(), "the driver does not tell", source);
            } else if (value.startsWith("on")) {
                examination.ok(NIC_GRO, nic.name(), "generic-receive-offload is on", source);
            } else {
                examination.add(
                        NIC_GRO,
                        FindingSeverity.NOTE,
                        nic.name(),
                        "receive.gro is on, and generic-receive-offload is " + value,
                        source,
                        Remediation.ethtool(nic.name(), "-K", nic.name(), "gro", "on"));
            }
        }
    }
}
