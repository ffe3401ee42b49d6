package io.millrace.app.service;

import io.millrace.app.report.Terminal;
import io.millrace.collector.Collector;
import io.millrace.collector.Counter;
import io.millrace.collector.DropReason;
import io.millrace.internal.agent.FatalErrors;
import io.millrace.internal.text.ByteSize;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Printer of one line every ten seconds for a terminal. It has its own thread. */
final class RateReport implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RateReport.class);
    private static final long INTERVAL_S = 10;

    private final Collector collector;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "millrace-report");
        thread.setDaemon(true);
        return thread;
    });
    private long lastDatagrams;
    private long lastBytes;

    RateReport(Collector collector) {
        this.collector = collector;
    }

    void start() {
        if (Terminal.stderrIsTerminal()) {
            var unused = timer.scheduleAtFixedRate(
                    FatalErrors.survivor("The rate line", LOG, this::print), INTERVAL_S, INTERVAL_S, TimeUnit.SECONDS);
        }
    }

    private void print() {
        // Journaled before received, because a journaled datagram was received before.
        long journaled = collector.sinceStart(Counter.JOURNALED_DATAGRAMS);
        long datagrams = collector.sinceStart(Counter.RECEIVED_DATAGRAMS);
        long bytes = collector.sinceStart(Counter.RECEIVED_BYTES);
        System.err.printf(
                Locale.ROOT,
                "millrace: %,d datagrams/s, %s/s; received %,d, journaled %,d, dropped at the socket %,d%n",
                (datagrams - lastDatagrams) / INTERVAL_S,
                ByteSize.text((bytes - lastBytes) / INTERVAL_S),
                datagrams,
                journaled,
                collector.sinceStart(DropReason.SOCKET_BUFFER.counter()));
        lastDatagrams = datagrams;
        lastBytes = bytes;
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
