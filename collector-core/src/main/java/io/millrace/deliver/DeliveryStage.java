package io.millrace.deliver;

import io.millrace.agent.AgentRunner;
import io.millrace.agent.IdleStrategy;
import io.millrace.counters.CounterFile;
import io.millrace.read.Journal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All sinks of a collector, each with a thread of its own. Any thread, after {@link #start}. */
public final class DeliveryStage {
    private static final Logger LOG = LoggerFactory.getLogger(DeliveryStage.class);
    private static final long INTERRUPTED_NS = TimeUnit.SECONDS.toNanos(1);

    private final List<Delivery> deliveries = new ArrayList<>();
    private final List<AgentRunner> runners = new ArrayList<>();

    /**
     * A sink and how to deliver to it.
     *
     * @param settings how
     * @param sink where to
     */
    public record Output(SinkSettings settings, Sink sink) {}

    /** Prepares the deliveries; {@link #start} starts their threads. */
    public DeliveryStage(List<Output> outputs, Journal journal, CounterFile counters) {
        for (Output output : outputs) {
            Delivery delivery = new Delivery(output.settings(), output.sink(), journal, counters);
            deliveries.add(delivery);
            runners.add(AgentRunner.daemon(delivery, IdleStrategy.Kind.PARK.newStrategy()));
        }
    }

    /** Begins to deliver. */
    public void start() {
        runners.forEach(AgentRunner::start);
    }

    /** How each sink stands. */
    public List<SinkStatus> status() {
        return deliveries.stream().map(Delivery::status).toList();
    }

    /**
     * Delivers what is in the journal until then, and ends. What is not delivered is sent after the next start. A sink that does not come
     * back is interrupted, and left alone if that does not help.
     *
     * @param endNs by {@link System#nanoTime}
     */
    public void stop(long endNs) {
        deliveries.forEach(delivery -> delivery.stop(endNs));
        await(endNs + INTERRUPTED_NS);
        for (int i = 0; i < runners.size(); i++) {
            if (!deliveries.get(i).isFinished()) {
                runners.get(i).interrupt();
            }
        }
        await(System.nanoTime() + INTERRUPTED_NS);
        for (int i = 0; i < runners.size(); i++) {
            end(deliveries.get(i), runners.get(i));
        }
    }

    private static void end(Delivery delivery, AgentRunner runner) {
        if (!delivery.isFinished()) {
            delivery.abandon();
            LOG.error(
                    "Output {} does not come back, and is left alone; what it has not acknowledged is sent after the next"
                            + " start",
                    delivery.roleName());
            return;
        }
        try {
            runner.close();
        } catch (IllegalStateException e) {
            LOG.error("Output {}: {}", delivery.roleName(), e.getMessage());
        }
    }

    private void await(long untilNs) {
        while (!deliveries.stream().allMatch(Delivery::isFinished) && System.nanoTime() - untilNs < 0) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }
}
