package io.millrace.bench.subject;

import io.millrace.bench.reference.ReferenceReceivers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All subjects by name, in the order of the receiver comparison. */
public final class Subjects {
    private static final List<String> LOOPBACK = List.of("127.0.0.1");
    private static final Map<String, Subject> ALL = new LinkedHashMap<>();

    static {
        for (ReferenceReceivers receiver : ReferenceReceivers.values()) {
            add(new ReferenceSubject(receiver));
        }
        add(millrace("millrace-nio", "nio", 1));
        add(millrace("millrace-epoll", "epoll", 1));
        add(millrace("millrace-native", "native", 1));
        add(new MillraceSubject("millrace-journal-only", "native", 1, MillraceSubject.Variant.JOURNAL_ONLY));
        add(new MillraceSubject("millrace-file", "auto", 1, MillraceSubject.Variant.FILE));
        add(new MillraceSubject("millrace-json", "auto", 1, MillraceSubject.Variant.JSON));
        add(new MillraceSubject("millrace-linger-1ms", "auto", 1, MillraceSubject.Variant.LINGER));
        add(new MillraceSubject("millrace-no-wait", "auto", 1, MillraceSubject.Variant.NO_WAIT));
        add(new MillraceSubject("millrace-8-outputs", "auto", 1, MillraceSubject.Variant.OUTPUTS));
        add(new MillraceSubject("millrace-10000-files", "auto", 1, MillraceSubject.Variant.FILES));
        baseline("discard", "discard", "C: recvmmsg in batches of 64, counted and discarded", List.of());
        baseline("append", "append", "C: recvmmsg in batches of 64, appended to a mapped file", List.of());
        baseline(
                "metadata",
                "append",
                "C: as baseline-append, with the source and receive time of each datagram from the kernel",
                List.of("--metadata"));
        baseline("recv", "recv", "C: one recv per datagram, counted and discarded", List.of());
        baseline("ring", "ring", "C: kernel capture with a TPACKET_V3 ring on the loopback device, counted", List.of());
        baseline(
                "stream",
                "stream",
                "C: lines of TCP connections, read 64 KiB at a time, appended to a mapped file",
                List.of());
        add(new MillraceSubject("millrace-tcp", "auto", 1, MillraceSubject.Variant.TCP));
        add(new Rsyslog("rsyslog", Rsyslog.Kind.UDP));
        add(new Rsyslog("rsyslog-json", Rsyslog.Kind.UDP_JSON));
        add(new Rsyslog("rsyslog-defaults", Rsyslog.Kind.UDP_DEFAULTS));
        add(new Rsyslog("rsyslog-imptcp", Rsyslog.Kind.TCP));
        add(new MillraceSubject("millrace-tls", "auto", 1, MillraceSubject.Variant.TLS));
        add(new Rsyslog("rsyslog-tls", Rsyslog.Kind.TLS));
        add(new Rsyslog("rsyslog-stats", Rsyslog.Kind.UDP_STATS));
        add(new SyslogNg(
                "syslog-ng",
                "syslog-ng.conf",
                "syslog-ng: two sockets of one port, threaded, messages not parsed, to one file"));
        add(new SyslogNg(
                "syslog-ng-defaults",
                "syslog-ng-defaults.conf",
                "syslog-ng: as Debian configures it, with an input for UDP"));
        add(new VictoriaLogs());
        add(new OpenTelemetryCollector());
        add(new MillraceSubject("millrace-defaults", "auto", 1, MillraceSubject.Variant.DEFAULTS));
        add(new Tcpdump());
    }

    private Subjects() {}

    private static void add(Subject subject) {
        ALL.put(subject.name(), subject);
    }

    private static void baseline(String name, String mode, String description, List<String> options) {
        add(baseline("baseline-" + name, mode, description, LOOPBACK, 1, options));
    }

    /**
     * The C baseline with other options.
     *
     * @param mode what it does with a datagram, as {@code millrace-baseline --help} names it
     * @param addresses the addresses it listens on
     * @param sockets the total number of sockets; they share the receive buffer that other receivers have for one
     */
    public static Subject baseline(
            String name, String mode, String description, List<String> addresses, int sockets, List<String> options) {
        return new BaselineSubject(name, mode, description, addresses, sockets, options);
    }

    /** All names. */
    public static List<String> names() {
        return List.copyOf(ALL.keySet());
    }

    /** A service with default settings and this many receivers, which share the receive buffer that other receivers have for one. */
    public static Subject millrace(String name, String transport, int receivers) {
        return new MillraceSubject(name, transport, receivers, MillraceSubject.Variant.DEFAULT);
    }

    /**
     * Subjects by name.
     *
     * @throws IllegalArgumentException if a name is unknown; the message lists the valid ones
     */
    public static List<Subject> of(List<String> names) {
        List<Subject> found = new ArrayList<>();
        for (String name : names) {
            Subject subject = ALL.get(name.equals("millrace") ? "millrace-epoll" : name);
            if (subject == null) {
                throw new IllegalArgumentException(
                        "unknown receiver '" + name + "'; valid are millrace, " + String.join(", ", ALL.keySet()));
            }
            if (found.contains(subject)) {
                throw new IllegalArgumentException("the receiver '" + name + "' is named twice");
            }
            found.add(subject);
        }
        return found;
    }
}
