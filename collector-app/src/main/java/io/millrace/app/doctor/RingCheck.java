package io.millrace.app.doctor;

import static io.millrace.app.doctor.Diagnosis.NIC_COALESCING;
import static io.millrace.app.doctor.Diagnosis.NIC_RING;

import io.millrace.app.doctor.Interfaces.Nic;
import io.millrace.app.doctor.host.Amounts;
import io.millrace.internal.linux.ProcText;

/** Check of the ring between card and kernel, and of interrupt coalescing. */
final class RingCheck {
    static final String PAUSES = "many drivers take the link down for a moment to do it: what is sent then is lost";

    private static final double SHORT_MS = 10;
    private static final double TINY_MS = 1;

    private RingCheck() {}

    static void look(Examination examination) {
        for (Nic nic : examination.interfaces().hardware()) {
            String text = examination.tool(NIC_RING, nic.name(), "ethtool", "-g", nic.name());
            Limits ring = text == null ? new Limits(0, 0) : Limits.of(text, "RX");
            if (text != null && ring.now() == 0) {
                examination.unavailable(NIC_RING, nic.name(), "the driver does not tell", "ethtool -g " + nic.name());
            } else if (text != null) {
                ring(examination, nic, ring);
            }
            coalescing(examination, nic, ring.now());
        }
    }

    /** Sets the maximum ring size. */
    static Remediation grow(Nic nic, Limits ring) {
        return ring.now() < ring.max()
                ? Remediation.ethtool(nic.name(), "-G", nic.name(), "rx", String.valueOf(ring.max()))
                        .with(PAUSES)
                : Remediation.advice("the ring is as large as it can be: spread the load over more queues and CPUs"
                        + " (nic-queues, nic-hash, nic-interrupts)");
    }

    private static void ring(Examination examination, Nic nic, Limits ring) {
        double millis = 1000.0
                * ring.now()
                * Math.max(1, nic.queues())
                / examination.settings().rate();
        String seen = ring.now() + " of " + ring.max() + " buffers per queue, "
                + Amounts.count(nic.queues(), "queue") + ": " + Amounts.millis(millis) + " of "
                + examination.settings().rateText();
        String source = "ethtool -g " + nic.name();
        if (ring.now() < ring.max() && millis < SHORT_MS) {
            examination.add(NIC_RING, FindingSeverity.RISK, nic.name(), seen, source, grow(nic, ring));
        } else if (millis < TINY_MS) {
            examination.add(NIC_RING, FindingSeverity.NOTE, nic.name(), seen, source, grow(nic, ring));
        } else {
            examination.ok(NIC_RING, nic.name(), seen, source);
        }
    }

    private static void coalescing(Examination examination, Nic nic, long ring) {
        String text = examination.tool(NIC_COALESCING, nic.name(), "ethtool", "-c", nic.name());
        if (text == null) {
            return;
        }
        String source = "ethtool -c " + nic.name();
        Long usecs = ProcText.number(ProcText.field(text, "rx-usecs"));
        if (usecs == null || ring == 0) {
            examination.unavailable(
                    NIC_COALESCING,
                    nic.name(),
                    ring == 0 ? "the ring's size is not known" : "the driver does not tell",
                    source);
            return;
        }
        long arrive = usecs * examination.settings().rate() / Math.max(1, nic.queues()) / 1_000_000;
        String seen = "rx-usecs " + usecs + ": " + Amounts.count(arrive, "datagram") + " of "
                + examination.settings().rateText() + " meanwhile, and a ring of " + ring;
        if (arrive > ring / 2) {
            long fitting = Math.max(1, usecs * ring / 8 / arrive);
            examination.add(
                    NIC_COALESCING,
                    FindingSeverity.RISK,
                    nic.name(),
                    seen,
                    source,
                    Remediation.ethtool(nic.name(), "-C", nic.name(), "rx-usecs", String.valueOf(fitting)));
        } else {
            examination.ok(NIC_COALESCING, nic.name(), seen, source);
        }
    }
}
