package io.millrace.bench.jmh;

import io.millrace.bench.reference.ReferenceReceiver;
import io.millrace.bench.reference.ReferenceReceivers;
import io.millrace.bench.reference.ReferenceSettings;
import io.millrace.collector.Collector;
import io.millrace.collector.Counter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;

/** Reference receivers and the collector behind one interface. */
final class Receivers {
    private static final String COLLECTOR = "millrace-";
    private static final int RECEIVE_BUFFER_BYTES = 4 << 20;

    private Receivers() {}

    interface Running {
        int port();

        /** The number of datagrams so far that were written, of the collector those that were journaled. Any thread. */
        long received();

        /** Drains the socket, flushes the output, and returns the number of datagrams. */
        long stop() throws IOException;
    }

    /**
     * Starts a receiver on a port of loopback.
     *
     * @param name a reference receiver, or {@code millrace-TRANSPORT}
     * @param directory the directory of its output
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
        return new RunningReference(receiver);
    }

    private record RunningCollector(Collector collector) implements Running {
        @Override
        public int port() {
            return collector.addresses().get(0).getPort();
        }

        @Override
        public long received() {
            return collector.sinceStart(Counter.JOURNALED_DATAGRAMS);
        }

        @Override
        public long stop() throws IOException {
            collector.close();
            return collector.ledger().journaled();
        }
    }

    private record RunningReference(ReferenceReceiver receiver) implements Running {
        @Override
        public int port() {
            return receiver.localPort();
        }

        @Override
        public long received() {
            return receiver.written();
        }

        @Override
        public long stop() throws IOException {
            receiver.close();
            return receiver.written();
        }
    }
}
