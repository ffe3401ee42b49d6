package io.millrace.bench.jmh;

import io.millrace.bench.reference.ReferenceReceiver;
import io.millrace.bench.reference.ReferenceReceivers;
import io.millrace.bench.reference.ReferenceSettings;
import io.millrace.collector.Collector;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;

/** The reference receivers of the receiver comparison and the collector, as one kind of thing. */
final class Receivers {
    private static final String COLLECTOR = "millrace-";
    private static final int RECEIVE_BUFFER_BYTES = 4 << 20;

    private Receivers() {}

    /** A receiver that runs. */
    interface Running {
        int port();

        /** Drains the socket, writes everything out, and returns how many datagrams there were. */
        long stop() throws IOException;
    }

    /**
     * Starts a receiver on a port of loopback.
     *
     * @param name a reference receiver, or {@code millrace-TRANSPORT}
     * @param directory where it writes
     */
    static Running start(String name, Path directory) throws IOException {
        InetSocketAddress listen = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        if (name.startsWith(COLLECTOR)) {
            Collector collector = Collector.builder()
                    .listen("bench", listen)
                    .journal(directory)
                    .transport(name.substring(COLLECTOR.length()))
                    .receivers(1)
                    .receiveBuffer(RECEIVE_BUFFER_BYTES)
                    .maxDatagram(ReferenceSettings.DEFAULT_MAX_DATAGRAM_BYTES)
                    .build();
            return new RunningCollector(collector.start());
        }
        ReferenceReceiver receiver = ReferenceReceivers.named(name)
                .open(new ReferenceSettings(listen, directory.resolve("lines"), RECEIVE_BUFFER_BYTES));
        receiver.start();
        return new RunningRung(receiver);
    }

    private record RunningCollector(Collector collector) implements Running {
        @Override
        public int port() {
            return collector.addresses().get(0).getPort();
        }

        @Override
        public long stop() throws IOException {
            collector.close();
            return collector.ledger().journaled();
        }
    }

    private record RunningRung(ReferenceReceiver receiver) implements Running {
        @Override
        public int port() {
            return receiver.localPort();
        }

        @Override
        public long stop() throws IOException {
            receiver.close();
            return receiver.written();
        }
    }
}
