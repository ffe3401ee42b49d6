package io.millrace.app.doctor;

import static io.millrace.app.doctor.Diagnosis.NIC_COALESCING;
import static io.millrace.app.doctor.Diagnosis.NIC_DROPS;
import static io.millrace.app.doctor.Diagnosis.NIC_GRO;
import static io.millrace.app.doctor.Diagnosis.NIC_HASH;
import static io.millrace.app.doctor.Diagnosis.NIC_NUMA;
import static io.millrace.app.doctor.Diagnosis.NIC_QUEUES;
import static io.millrace.app.doctor.Diagnosis.NIC_RING;
import static io.millrace.app.doctor.Diagnosis.NIC_RPS;
import static io.millrace.app.doctor.FindingSeverity.LOSES;
import static io.millrace.app.doctor.FindingSeverity.NOTE;
import static io.millrace.app.doctor.FindingSeverity.OK;
import static io.millrace.app.doctor.FindingSeverity.RISK;

import io.millrace.app.doctor.Interfaces.Nic;
import io.millrace.app.doctor.host.Amounts;
import io.millrace.collector.CollectorSettings;
import io.millrace.collector.Pinning;
import io.millrace.internal.linux.ProcText;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Checks of a card: its drops, its ring and queues, and the CPUs that get its packets. */
final class NicChecks {
    private static final String SILENT = "the driver does not tell";
    private static final String PAUSES =
            "many drivers take the link down for a moment to do it: what is sent then is lost";
    private static final List<String> DROP_FILES = List.of("rx_missed_errors", "rx_fifo_errors", "rx_over_errors");

    /**
     * Counters for missing buffers, rings or room: Intel (rx_no_buffer_count, rx_no_dma_resources, rx_missed_errors,
     * port.rx_dropped, rx_dropped.nic), Mellanox (rx_out_of_buffer, rx_discards_phy), Broadcom (rx_discards,
     * rx_discard_pkts), virtio (rx_drops), Amazon (rx_overruns, and the limits of the cloud), VMware (pkts rx OOB, drv
     * dropped rx total). Counters of single queues (rx0_drops) are part of the sums. A plain rx_dropped is excluded,
     * because it also counts packets of unwanted protocols.
     */
    private static final Pattern DROP_COUNTER = Pattern.compile(
            "\\s*((?:port\\.rx_dropped|rx_dropped\\.nic|rx_(?:no_buffer_count|no_dma_resources|missed_errors"
                    + "|out_of_buffer|discards_phy|discards|discard_pkts|drops|overruns|fifo_errors|over_errors|no_buffer"
                    + "|missed)|(?:pps|bw_in)_allowance_exceeded|pkts rx OOB|drv dropped rx total)):\\s*(\\d{1,18})");

    private static final double SHORT_RING_MS = 10;
    private static final double TINY_RING_MS = 1;

    /** Datagrams per second that any CPU can process up to the socket; some process a million. */
    private static final long EASY_PER_QUEUE = 300_000;

    private static final String NODES = "/sys/devices/system/node/";

    private NicChecks() {}

    /**
     * A value of {@code ethtool -g} or {@code -l}, which print the maximum and then the current value.
     *
     * @param max 0 if unknown
     * @param now 0 if unknown
     */
    private record Limits(long max, long now) {
        static Limits of(String text, String name) {
            long max = 0;
            long now = 0;
            boolean current = false;
            for (String line : text.lines().toList()) {
                if (line.startsWith("Current hardware settings:")) {
                    current = true;
                } else if (line.startsWith(name + ":")) {
                    // 'n/a' means unknown.
                    Long value = ProcText.number(line.substring(name.length() + 1));
                    max = current || value == null ? max : value;
                    now = !current || value == null ? now : value;
                }
            }
            return new Limits(max, now);
        }
    }

    /** Packets dropped by the card. */
    static void drops(Examination examination, Nic nic) {
        List<String> drops = new ArrayList<>();
        int read = 0;
        for (String file : DROP_FILES) {
            Long value = examination.numberIn(nic.path("statistics/" + file));
            read += value == null ? 0 : 1;
            note(drops, file, value == null ? 0 : value);
        }
        String driver = examination.host().run("ethtool", "-S", nic.name()).text();
        if (driver != null) {
            driver.lines()
                    .map(DROP_COUNTER::matcher)
                    .filter(it -> it.matches() && !DROP_FILES.contains(it.group(1)))
                    .forEach(it -> note(drops, it.group(1), Long.parseLong(it.group(2))));
        }
        String source = nic.path("statistics") + (driver == null ? "" : ", ethtool -S " + nic.name());
        if (!drops.isEmpty()) {
            String rings = examination.host().run("ethtool", "-g", nic.name()).text();
            Remediation remediation = rings == null
                    ? Remediation.advice("look at the ring's size with ethtool -g, and enlarge it")
                    : grow(nic, Limits.of(rings, "RX"));
            String seen = String.join(", ", drops) + ", since the driver was loaded";
            examination.add(NIC_DROPS, LOSES, nic.name(), seen, source, remediation);
        } else if (read == 0 && driver == null) {
            examination.unavailable(NIC_DROPS, nic.name(), "no statistics can be read", source);
        } else {
            examination.ok(NIC_DROPS, nic.name(), "none", source);
        }
    }

    private static void note(List<String> drops, String name, long value) {
        if (value > 0) {
            drops.add(name + " " + Amounts.count(value));
        }
    }

    /** The ring between card and kernel, and interrupt coalescing. */
    static void ring(Examination examination, Nic nic) {
        String text = examination.tool(NIC_RING, nic.name(), "ethtool", "-g", nic.name());
        Limits ring = text == null ? new Limits(0, 0) : Limits.of(text, "RX");
        String source = "ethtool -g " + nic.name();
        if (text != null && ring.now() == 0) {
            examination.unavailable(NIC_RING, nic.name(), SILENT, source);
        } else if (text != null) {
            long buffers = ring.now() * Math.max(1, nic.queues());
            double millis = 1000.0 * buffers / examination.settings().rate();
            String seen = ring.now() + " of " + ring.max() + " buffers per queue, "
                    + Amounts.count(nic.queues(), "queue") + ": " + Amounts.millis(millis) + " of "
                    + examination.settings().rateText();
            FindingSeverity severity =
                    ring.now() < ring.max() && millis < SHORT_RING_MS ? RISK : millis < TINY_RING_MS ? NOTE : OK;
            examination.add(NIC_RING, severity, nic.name(), seen, source, grow(nic, ring));
        }
        coalescing(examination, nic, ring.now());
    }

    /** Sets the maximum ring size. */
    private static Remediation grow(Nic nic, Limits ring) {
        return ring.now() < ring.max()
                ? ethtool(nic, "-G", "rx", String.valueOf(ring.max())).with(PAUSES)
                : Remediation.advice("the ring is as large as it can be: spread the load over more queues and CPUs"
                        + " (nic-queues, nic-hash, nic-interrupts)");
    }

    private static Remediation ethtool(Nic nic, String option, String... arguments) {
        List<String> all = new ArrayList<>(List.of(option, nic.name()));
        all.addAll(List.of(arguments));
        return new Remediation(List.of(new Remediation.Ethtool(nic.name(), all)), "");
    }

    private static void coalescing(Examination examination, Nic nic, long ring) {
        String text = examination.tool(NIC_COALESCING, nic.name(), "ethtool", "-c", nic.name());
        if (text == null) {
            return;
        }
        String source = "ethtool -c " + nic.name();
        Long usecs = ProcText.number(ProcText.field(text, "rx-usecs"));
        if (usecs == null || ring == 0) {
            String why = ring == 0 ? "the ring's size is not known" : SILENT;
            examination.unavailable(NIC_COALESCING, nic.name(), why, source);
            return;
        }
        long arrive = usecs * examination.settings().rate() / Math.max(1, nic.queues()) / 1_000_000;
        String seen = "rx-usecs " + usecs + ": " + Amounts.count(arrive, "datagram") + " of "
                + examination.settings().rateText() + " meanwhile, and a ring of " + ring;
        long fitting = Math.max(1, usecs * ring / 8 / Math.max(1, arrive));
        Remediation shorter = ethtool(nic, "-C", "rx-usecs", String.valueOf(fitting));
        examination.add(NIC_COALESCING, arrive > ring / 2 ? RISK : OK, nic.name(), seen, source, shorter);
    }

    /** The receive queues and their hash. */
    static void queues(Examination examination, Nic nic) {
        count(examination, nic);
        if (nic.queues() < 2) {
            examination.ok(NIC_HASH, nic.name(), "of no account with one queue", nic.path("queues"));
            return;
        }
        List<InetAddress> addresses = examination.settings().collector().inputs().stream()
                .map(it -> it.address().getAddress())
                .toList();
        if (addresses.stream().anyMatch(it -> it instanceof Inet4Address || it.isAnyLocalAddress())) {
            hash(examination, nic, "udp4");
        }
        if (addresses.stream().anyMatch(it -> !(it instanceof Inet4Address))) {
            hash(examination, nic, "udp6");
        }
    }

    private static boolean heavy(Examination examination, long queues) {
        return examination.settings().rate() / Math.max(1, queues) > EASY_PER_QUEUE;
    }

    private static void count(Examination examination, Nic nic) {
        String text = examination.tool(NIC_QUEUES, nic.name(), "ethtool", "-l", nic.name());
        if (text == null) {
            return;
        }
        Limits combined = Limits.of(text, "Combined");
        Limits limits = combined.max() > 0 ? combined : Limits.of(text, "RX");
        int cpus = examination.cpus();
        long useful = Math.min(limits.max(), cpus);
        String source = "ethtool -l " + nic.name();
        String seen = Amounts.count(limits.now(), "queue") + " of " + limits.max() + ", " + Amounts.count(cpus, "CPU")
                + ", " + examination.settings().rateText();
        if (limits.now() <= 0) {
            examination.unavailable(NIC_QUEUES, nic.name(), SILENT, source);
            return;
        }
        FindingSeverity severity = limits.now() >= useful ? OK : heavy(examination, limits.now()) ? RISK : NOTE;
        String kind = combined.max() > 0 ? "combined" : "rx";
        Remediation more = ethtool(nic, "-L", kind, String.valueOf(useful)).with(PAUSES);
        examination.add(NIC_QUEUES, severity, nic.name(), seen, source, more);
    }

    private static void hash(Examination examination, Nic nic, String flow) {
        String text = examination.tool(NIC_HASH, nic.name(), "ethtool", "-n", nic.name(), "rx-flow-hash", flow);
        if (text == null) {
            return;
        }
        boolean ports = text.contains("L4 bytes 0 & 1") && text.contains("L4 bytes 2 & 3");
        String fields = text.lines()
                .skip(1)
                .map(String::strip)
                .filter(it -> !it.isEmpty())
                .collect(Collectors.joining(", "));
        examination.add(
                NIC_HASH,
                ports ? OK : RISK,
                nic.name() + " " + flow,
                flow + " over " + nic.queues() + " queues by: " + (fields.isEmpty() ? "none" : fields),
                "ethtool -n " + nic.name() + " rx-flow-hash " + flow,
                ethtool(nic, "-N", "rx-flow-hash", flow, "sdfn")
                        .with("fragments have no ports, and so use another queue than other datagrams of the same"));
    }

    /** The queues with receive packet steering, and their masks. */
    static List<String> steering(Examination examination, Nic nic) {
        return examination.host().list(nic.path("queues")).stream()
                .filter(it -> it.startsWith("rx-"))
                .map(it -> it + " " + mask(examination, nic, it))
                .filter(it -> it.matches("\\S+ .*[1-9a-f].*"))
                .toList();
    }

    private static String mask(Examination examination, Nic nic, String queue) {
        String text = examination.text(nic.path("queues/" + queue + "/rps_cpus"));
        return text == null ? "" : text.strip();
    }

    /** Receive packet steering. */
    static void steer(Examination examination, Nic nic) {
        int cpus = examination.cpus();
        String source = nic.path("queues/rx-*/rps_cpus");
        List<String> steering = steering(examination, nic);
        if (!steering.isEmpty()) {
            examination.ok(NIC_RPS, nic.name(), "on: " + String.join(", ", steering), source);
        } else if (nic.queues() != 1 || cpus == 1 || !heavy(examination, 1)) {
            String seen = "off, with " + Amounts.count(nic.queues(), "queue") + " and " + Amounts.count(cpus, "CPU");
            examination.ok(NIC_RPS, nic.name(), seen, source);
        } else {
            String seen = "off, with one queue and " + cpus + " CPUs, for "
                    + examination.settings().rateText();
            Remediation all = Remediation.deviceFile(nic.name(), "queues/rx-0/rps_cpus", maskOfAll(cpus));
            examination.add(NIC_RPS, RISK, nic.name(), seen, source, all);
        }
    }

    /** A CPU mask in hexadecimal: 32-bit words separated by commas. */
    static String maskOfAll(int cpus) {
        StringBuilder mask = new StringBuilder();
        int first = cpus % 32;
        if (first > 0) {
            mask.append(Long.toHexString((1L << first) - 1));
        }
        for (int word = 0; word < cpus / 32; word++) {
            mask.append(mask.length() == 0 ? "" : ",").append("ffffffff");
        }
        return mask.toString();
    }

    /** Whether receivers run on the card's NUMA node. */
    static void numa(Examination examination, Nic nic) {
        int nodes = Math.max(1, ProcText.countOfList(examination.text(NODES + "online")));
        String path = nic.path("device/numa_node");
        Long own = examination.numberIn(path);
        Long node = own == null ? examination.numberIn(nic.path("device/../numa_node")) : own;
        if (nodes == 1) {
            examination.ok(NIC_NUMA, nic.name(), "the host has one node", NODES + "online");
            return;
        } else if (node == null || node < 0) {
            examination.ok(NIC_NUMA, nic.name(), "the card is on no node in particular", path);
            return;
        }
        String cpus = examination.text(NODES + "node" + node + "/cpulist");
        Pinning pinning = examination.settings().collector().get(CollectorSettings.RECEIVER_CPUS);
        if (cpus == null) {
            examination.unavailable(NIC_NUMA, nic.name(), "the CPUs of its node cannot be read", NODES);
        } else if (!pinning.cpus().isEmpty()
                && Pinning.parse(cpus.strip()).cpus().containsAll(pinning.cpus())) {
            examination.ok(NIC_NUMA, nic.name(), "receivers are bound to node " + node, path);
        } else {
            String seen = "the card is on node " + node + " of " + nodes + ", and receivers are not bound to it";
            Remediation bind = Remediation.advice("receive.receiverCpus: " + cpus.strip());
            examination.add(NIC_NUMA, NOTE, nic.name(), seen, path, bind);
        }
    }

    /** Whether interfaces create GRO batches. */
    static void gro(Examination examination) {
        if (!examination.settings().collector().get(CollectorSettings.GRO)) {
            examination.ok(NIC_GRO, "receive.gro is off", "the configuration");
            return;
        }
        for (Nic nic : examination.interfaces().hardware()) {
            String text = examination.tool(NIC_GRO, nic.name(), "ethtool", "-k", nic.name());
            String value = text == null ? null : ProcText.field(text, "generic-receive-offload");
            String source = "ethtool -k " + nic.name();
            if (value != null && value.startsWith("on")) {
                examination.ok(NIC_GRO, nic.name(), "generic-receive-offload is on", source);
            } else if (value != null) {
                String seen = "receive.gro is on, and generic-receive-offload is " + value;
                examination.add(NIC_GRO, NOTE, nic.name(), seen, source, ethtool(nic, "-K", "gro", "on"));
            } else if (text != null) {
                examination.unavailable(NIC_GRO, nic.name(), SILENT, source);
            }
        }
    }
}
