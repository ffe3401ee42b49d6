package io.millrace.bench.subject;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All subjects, by name, in the order of the receiver comparison. */
public final class Subjects {
    private static final Map<String, Subject> ALL = new LinkedHashMap<>();

    static {
        receiver("syslog-inline", "java.net socket; parsed as syslog and written by the receiving thread");
        receiver("bio", "java.net socket; written to a file by the receiving thread");
        receiver("nio", "DatagramChannel and Selector; written to a file by the receiving thread");
        receiver("aio", "DatagramChannel; written by completion (AsynchronousFileChannel)");
        receiver("io_uring", "Netty's io_uring datagram channel; written to a file by the event loop");
        receiver("mapped", "java.net socket; copied to a mapped file by the receiving thread");
        receiver("mapped-queue-bio", "java.net socket; a queue; copied to a mapped file by a second thread");
        receiver(
                "mapped-queue-nio",
                "DatagramChannel and Selector; a queue; copied to a mapped file by a second thread");
        receiver("netty-epoll", "Netty's epoll datagram channel with recvmmsg; written to a file by the event loop");
        add(millrace("millrace-nio", "nio", 1));
        add(millrace("millrace-epoll", "epoll", 1));
        add(millrace("millrace-native", "native", 1));
        baseline("baseline-discard", "discard", "C: recvmmsg in batches of 64, counted and thrown away");
        baseline("baseline-append", "append", "C: recvmmsg in batches of 64, appended to a mapped file");
        add(baseline(
                "baseline-metadata",
                "append",
                "C: as baseline-append, and the kernel is asked for the source and receive time of each datagram",
                List.of("127.0.0.1"),
                1,
                List.of("--metadata")));
        baseline("baseline-recv", "recv", "C: one recv a datagram, counted and thrown away");
        baseline("baseline-ring", "ring", "C: kernel capture by a TPACKET_V3 ring on the loopback device, counted");
        add(new Rsyslog());
        add(new SyslogNg());
        add(new Tcpdump());
    }

    private Subjects() {}

    private static void add(Subject subject) {
        ALL.put(subject.name(), subject);
    }

    private static void receiver(String name, String description) {
        add(new OwnProgram.RungSubject(name, description));
    }

    private static void baseline(String name, String mode, String description) {
        add(baseline(name, mode, description, List.of("127.0.0.1"), 1, List.of()));
    }

    /**
     * The C baseline with options of its own.
     *
     * @param mode what it does with a datagram, as {@code millrace-baseline --help} names it
     * @param addresses sockets are bound to each
     * @param sockets how many there are in all; they share the receive buffer that others have for one
     */
    public static Subject baseline(
            String name, String mode, String description, List<String> addresses, int sockets, List<String> options) {
        return new OwnProgram.FloorSubject(name, mode, description, addresses, sockets, options);
    }

    /** Their names. */
    public static List<String> names() {
        return List.copyOf(ALL.keySet());
    }

    /** A service with so many receivers, which share the receive buffer that others have for one. */
    public static Subject millrace(String name, String transport, int receivers) {
        return new MillraceSubject(name, transport, receivers);
    }

    /**
     * Subjects by name.
     *
     * @throws IllegalArgumentException with the names there are, if there is none of a name
     */
    public static List<Subject> of(List<String> names) {
        List<Subject> found = new ArrayList<>();
        for (String name : names) {
            Subject subject = ALL.get(name.equals("millrace") ? "millrace-epoll" : name);
            if (found.contains(subject)) {
                throw new IllegalArgumentException("the receiver '" + name + "' is named twice");
            }
            if (subject == null) {
                throw new IllegalArgumentException(
                        "there is no receiver '" + name + "'; there are millrace, " + String.join(", ", ALL.keySet()));
            }
            found.add(subject);
        }
        return found;
    }
}
