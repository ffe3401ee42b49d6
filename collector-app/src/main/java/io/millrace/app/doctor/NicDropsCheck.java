package io.millrace.app.doctor;

import static io.millrace.app.doctor.Diagnosis.NIC_DROPS;

import io.millrace.app.doctor.Interfaces.Nic;
import io.millrace.app.doctor.host.Amounts;
import io.millrace.app.doctor.host.Host;
import io.millrace.internal.linux.ProcText;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Check of packets dropped by the card. */
final class NicDropsCheck {
    private static final List<String> FILES = List.of("rx_missed_errors", "rx_fifo_errors", "rx_over_errors");

    /**
     * Counters for missing buffers, rings or room: Intel (rx_no_buffer_count, rx_no_dma_resources, rx_missed_errors,
     * port.rx_dropped, rx_dropped.nic), Mellanox (rx_out_of_buffer, rx_discards_phy), Broadcom (rx_discards,
     * rx_discard_pkts), virtio (rx_drops), Amazon (rx_overruns, and the limits of the cloud), VMware (pkts rx OOB, drv
     * dropped rx total). Counters of single queues (rx0_drops) are part of the sums. A plain rx_dropped is excluded,
     * because it also counts packets of unwanted protocols.
     */
    private static final Pattern COUNTER = Pattern.compile(
            "\\s*((?:port\\.rx_dropped|rx_dropped\\.nic|rx_(?:no_buffer_count|no_dma_resources|missed_errors"
                    + "|out_of_buffer|discards_phy|discards|discard_pkts|drops|overruns|fifo_errors|over_errors|no_buffer"
                    + "|missed)|(?:pps|bw_in)_allowance_exceeded|pkts rx OOB|drv dropped rx total)):\\s*(\\d{1,18})");

    private NicDropsCheck() {}

    static void look(Examination examination) {
        for (Nic nic : examination.interfaces().hardware()) {
            List<String> drops = new ArrayList<>();
            int read = 0;
            for (String file : FILES) {
                Long value = ProcText.number(
                        examination.host().read(nic.path("statistics/" + file)).text());
                read += value == null ? 0 : 1;
                note(drops, file, value == null ? 0 : value);
            }
            Host.Answer driver = examination.host().run("ethtool", "-S", nic.name());
            if (driver.text() != null) {
                driver.text()
                        .lines()
                        .map(COUNTER::matcher)
                        .filter(Matcher::matches)
                        .forEach(it -> {
                            if (!FILES.contains(it.group(1))) {
                                note(drops, it.group(1), Long.parseLong(it.group(2)));
                            }
                        });
            }
            judge(examination, nic, drops, read, driver.text() != null);
        }
    }

    private static void note(List<String> drops, String name, long value) {
        if (value > 0) {
            drops.add(name + " " + Amounts.count(value));
        }
    }

    private static void judge(Examination examination, Nic nic, List<String> drops, int read, boolean driver) {
        String source = nic.path("statistics") + (driver ? ", ethtool -S " + nic.name() : "");
        if (!drops.isEmpty()) {
            String rings = examination.host().run("ethtool", "-g", nic.name()).text();
            examination.add(
                    NIC_DROPS,
                    FindingSeverity.LOSES,
                    nic.name(),
                    String.join(", ", drops) + ", since the driver was loaded",
                    source,
                    rings == null
                            ? Remediation.advice("look at the ring's size with ethtool -g, and enlarge it")
                            : RingCheck.grow(nic, Limits.of(rings, "RX")));
        } else if (read == 0 && !driver) {
            examination.unavailable(NIC_DROPS, nic.name(), "no statistics can be read", source);
        } else {
            examination.ok(NIC_DROPS, nic.name(), "none", source);
        }
    }
}
