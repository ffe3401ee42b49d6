package io.millrace.app.handoff;

import com.sun.management.UnixOperatingSystemMXBean;
import io.millrace.collector.BoundSocket;
import io.millrace.collector.Collector;
import io.millrace.collector.CollectorSettings;
import io.millrace.collector.StreamCounters;
import io.millrace.internal.handoff.DescriptorSocket;
import io.millrace.internal.text.IpText;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The offer of a process: its sockets and how it uses them.
 *
 * @param receivers the number of receivers
 * @param gro true if GRO batches may wait in the sockets
 * @param connections the number of connections that are open now
 * @param addresses the bound address of each socket, as text
 * @param sockets the sockets, in the same order
 */
record HandoffOffer(int receivers, boolean gro, long connections, List<String> addresses, List<BoundSocket> sockets) {
    static final String HELLO = "millrace handoff 3";
    static final String READY = "ready";
    static final String RELEASED = "released ";
    static final String REFUSED = "refused ";

    /** For journal, outputs, admin HTTP, and connections that are accepted meanwhile. */
    private static final int RESERVED_DESCRIPTORS = 200;

    /** The time limit for a line of the other process, in ns. */
    static final long ANSWER_NS = TimeUnit.SECONDS.toNanos(10);

    private static final Pattern HEAD =
            Pattern.compile("sockets (\\d{1,6}) receivers (\\d{1,4}) gro (true|false) connections (\\d{1,9})");
    private static final Pattern SOCKET = Pattern.compile("(own|kept) (\\S+)");

    /** The offer of a collector; IllegalArgumentException if it cannot pass sockets. */
    static HandoffOffer of(Collector collector) throws IOException {
        List<BoundSocket> sockets = collector.boundSockets();
        List<String> addresses = new ArrayList<>();
        for (BoundSocket socket : sockets) {
            addresses.add(IpText.of(socket.address()));
        }
        CollectorSettings settings = collector.settings();
        long connections =
                collector.streams().stream().mapToLong(StreamCounters::open).sum();
        return new HandoffOffer(
                settings.receivers(), settings.get(CollectorSettings.GRO), connections, addresses, sockets);
    }

    void send(DescriptorSocket to) throws IOException {
        to.send(
                "sockets " + sockets.size() + " receivers " + receivers + " gro " + gro + " connections " + connections,
                ANSWER_NS);
        for (int i = 0; i < sockets.size(); i++) {
            to.send((sockets.get(i).kept() ? "kept " : "own ") + addresses.get(i), ANSWER_NS);
        }
        for (BoundSocket socket : sockets) {
            to.sendDescriptor(socket.descriptor(), ANSWER_NS);
        }
    }

    /** Reads the offer of another process; the caller closes its descriptors. */
    static HandoffOffer receive(DescriptorSocket from) throws IOException {
        String line = from.receive(ANSWER_NS);
        if (line.startsWith(REFUSED)) {
            throw new IOException(line.substring(REFUSED.length()));
        }
        Matcher head = matching(HEAD, line);
        int count = Integer.parseInt(head.group(1));
        List<Boolean> kept = new ArrayList<>();
        List<String> addresses = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Matcher socket = matching(SOCKET, from.receive(ANSWER_NS));
            kept.add(socket.group(1).equals("kept"));
            addresses.add(socket.group(2));
        }
        List<BoundSocket> sockets = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            sockets.add(new BoundSocket(from.receiveDescriptor(ANSWER_NS), kept.get(i)));
        }
        return new HandoffOffer(
                Integer.parseInt(head.group(2)),
                Boolean.parseBoolean(head.group(3)),
                Long.parseLong(head.group(4)),
                addresses,
                sockets);
    }

    private static Matcher matching(Pattern pattern, String line) throws IOException {
        Matcher matcher = pattern.matcher(line);
        if (!matcher.matches()) {
            throw new IOException("it is of another version of Millrace: it says '" + line + "'");
        }
        return matcher;
    }

    /** Describes the differences of a configuration to the offer; null if all sockets can be used. */
    @Nullable
    String difference(CollectorSettings settings) {
        if (settings.receivers() != receivers) {
            return "receivers is " + settings.receivers() + " here, and " + receivers + " in the process that runs";
        }
        if (settings.get(CollectorSettings.GRO) != gro) {
            return "gro is " + onOff(settings.get(CollectorSettings.GRO)) + " here, and " + onOff(gro)
                    + " in the process that runs";
        }
        Set<String> here = new TreeSet<>();
        settings.inputs().forEach(input -> here.add(IpText.of(input.address())));
        Set<String> there = new TreeSet<>(addresses);
        return here.equals(there)
                ? null
                : "inputs listen on " + String.join(" ", here) + " here, and on " + String.join(" ", there)
                        + " in the process that runs";
    }

    /** Describes why this process cannot hold the connections; null if it can. */
    @Nullable
    String shortage() {
        UnixOperatingSystemMXBean process = ManagementFactory.getPlatformMXBean(UnixOperatingSystemMXBean.class);
        long free = process.getMaxFileDescriptorCount() - process.getOpenFileDescriptorCount() - RESERVED_DESCRIPTORS;
        return connections <= free
                ? null
                : String.format(
                        Locale.ROOT,
                        "it has %,d open connections, and this process may open %,d files: allow it more with ulimit -n, or"
                                + " LimitNOFILE in the unit",
                        connections,
                        process.getMaxFileDescriptorCount());
    }

    private static String onOff(boolean on) {
        return on ? "on" : "off";
    }
}
