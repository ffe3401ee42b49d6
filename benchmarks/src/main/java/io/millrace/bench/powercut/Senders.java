package io.millrace.bench.powercut;

import io.millrace.bench.subject.MillraceService;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The load: one sender per transport, each with one connection or socket. */
final class Senders implements AutoCloseable {
    private static final Pattern RELP_PORT = Pattern.compile("relp \\S*?:(\\d+)[ ,]");
    private static final Pattern TCP_PORT = Pattern.compile("tcp \\S*?:(\\d+)[ ,]");
    private static final Pattern UDP_PORT = Pattern.compile("udp \\S*?:(\\d+)[ ,]");

    private final long beginMicros = Source.nowMicros();
    private final List<Source> sources = new ArrayList<>();
    private @Nullable RelpSource relp;

    /**
     * Connects to a service and starts to send.
     *
     * @param rates messages per second by source; 0 for none
     * @param firstSource the number of the source that sends over RELP
     * @param limit the maximum number of messages of each
     */
    static Senders start(
            MillraceService service, MessageFormat format, CutPlan.Rates rates, int firstSource, long limit)
            throws IOException {
        Senders senders = new Senders();
        try {
            senders.open(service, format, rates, firstSource, limit);
            senders.sources.forEach(Source::start);
            return senders;
        } catch (IOException e) {
            senders.close();
            throw e;
        }
    }

    private void open(MillraceService service, MessageFormat format, CutPlan.Rates rates, int first, long limit)
            throws IOException {
        if (rates.relp() > 0) {
            relp = new RelpSource(
                    first + CutPlan.RELP, rates.relp(), limit, beginMicros, format, port(service, RELP_PORT));
            sources.add(relp);
        }
        if (rates.tcp() > 0) {
            sources.add(ChannelSource.tcp(
                    first + CutPlan.TCP, rates.tcp(), limit, beginMicros, format, port(service, TCP_PORT)));
        }
        if (rates.udp() > 0) {
            sources.add(ChannelSource.udp(
                    first + CutPlan.UDP, rates.udp(), limit, beginMicros, format, port(service, UDP_PORT)));
        }
    }

    private static int port(MillraceService service, Pattern pattern) throws IOException {
        return Integer.parseInt(service.find(pattern));
    }

    /** The time to which the times of messages are relative, in µs since the epoch. */
    long beginMicros() {
        return beginMicros;
    }

    List<Source> sources() {
        return List.copyOf(sources);
    }

    /** The number of RELP messages with an answer. */
    int answered() {
        return relp == null ? 0 : relp.answered();
    }

    /** Messages sent by all. */
    long sent() {
        return sources.stream().mapToLong(Source::sent).sum();
    }

    /** Fails if one of them did. */
    void check() throws IOException {
        for (Source source : sources) {
            if (!source.failure().isEmpty()) {
                throw new IOException(source.failure());
            }
        }
    }

    /** Waits until all messages up to the limit are sent, and answered over RELP. */
    void awaitDone(long timeoutMs) throws IOException, InterruptedException {
        long end = System.nanoTime() + timeoutMs * 1_000_000;
        while (!sources.stream().allMatch(Source::isDone) && System.nanoTime() < end) {
            Thread.sleep(1);
        }
        stop(timeoutMs);
    }

    /** Ends sending and waits for the answers of RELP. */
    void stop(long timeoutMs) throws IOException, InterruptedException {
        long end = System.nanoTime() + timeoutMs * 1_000_000;
        for (Source source : sources) {
            source.stop();
        }
        while (relp != null && relp.answered() < relp.sent() && System.nanoTime() < end) {
            Thread.sleep(1);
        }
        check();
        if (relp != null && relp.answered() < relp.sent()) {
            throw new IOException("the service answered " + relp.answered() + " of " + relp.sent() + " RELP messages");
        }
    }

    @Override
    public void close() {
        sources.forEach(Source::close);
    }
}
