package io.millrace.example;

import io.millrace.collector.Collector;
import io.millrace.collector.DropReason;
import io.millrace.collector.Ledger;
import io.millrace.journal.JournalCursor;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A collector inside another program: {@code EmbeddedCollector PORT DATA_DIRECTORY COUNT [TRANSPORT]}. */
public final class EmbeddedCollector {
    private static final long IDLE_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private EmbeddedCollector() {}

    public static void main(String[] args) throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]));
        String transport = args.length > 3 ? args[3] : "auto";
        run(address, Path.of(args[1]), Long.parseLong(args[2]), transport, System.out);
    }

    /** Receives until this many datagrams have been printed, then stops and prints the ledger. */
    static void run(InetSocketAddress address, Path data, long count, String transport, PrintStream out)
            throws IOException {
        Collector collector = Collector.builder()
                .listen("example", address)
                .journal(data)
                .transport(transport)
                .build();
        try (collector) {
            collector.start();
            try (JournalCursor cursor = collector.journal().cursor().fromEnd().open()) {
                out.println("listening on port " + collector.addresses().get(0).getPort());
                follow(cursor, count, out);
            }
        }
        // After the close nothing is in flight, so this ledger is complete.
        print(collector.ledger(), out);
    }

    private static void follow(JournalCursor cursor, long count, PrintStream out) {
        long left = count;
        while (left > 0) {
            // The datagram and its position are views, valid only during the call. The text is a copy.
            int polled = cursor.poll(
                    (datagram, position) -> out.println(
                            position + " " + datagram.sourceAddress().getHostAddress() + " " + datagram.payloadText()),
                    (int) Math.min(left, 1024));
            left -= polled;
            if (polled == 0) {
                LockSupport.parkNanos(IDLE_NS);
            }
        }
    }

    private static void print(Ledger ledger, PrintStream out) {
        Long drops = ledger.dropped(DropReason.SOCKET_BUFFER);
        out.printf(
                "received %d = journaled %d + in flight %d; dropped at the socket %s%n",
                ledger.received(), ledger.journaled(), ledger.inFlight(), drops == null ? "unavailable" : drops);
    }
}
