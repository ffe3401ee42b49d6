package io.millrace.bench.jmh;

import io.millrace.bench.rung.Rung;
import io.millrace.bench.rung.RungSettings;
import io.millrace.bench.rung.Rungs;
import io.millrace.collector.Collector;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;

/** The rungs of the ladder and the collector, as one kind of thing. */
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
     * @param name a rung, or {@code millrace-TRANSPORT}
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
                    .maxDatagram(RungSettings.DEFAULT_MAX_DATAGRAM_BYTES)
                    .build();
            return new RunningCollector(collector.start());
        }
        Rung rung = Rungs.named(name).open(new RungSettings(listen, directory.resolve("lines"), RECEIVE_BUFFER_BYTES));
        rung.start();
        return new RunningRung(rung);
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

    private record RunningRung(Rung rung) implements Running {
        @Override
        public int port() {
            return rung.localPort();
        }

        @Override
        public long stop() throws IOException {
            rung.close();
            return rung.written();
        }
    }
}
