package io.millrace.internal.deliver;

import io.millrace.internal.agent.AgentRunner;
import io.millrace.internal.agent.NeededThreads;
import io.millrace.internal.counters.CounterFile;
import io.millrace.internal.gelf.ExpandedPayloads;
import io.millrace.internal.journal.AppendSignal;
import io.millrace.internal.journal.OutputProgress;
import io.millrace.journal.Journal;
import io.millrace.sink.Output;
import io.millrace.sink.Output.Redelivered;
import io.millrace.sink.Sink;
import io.millrace.sink.SinkPositions;
import io.millrace.sink.SinkSettings;
import io.millrace.sink.SinkStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The deliveries to all sinks of a collector, each on its own thread. Any thread, after {@link #start}. */
public final class DeliveryStage {
    private static final Logger LOG = LoggerFactory.getLogger(DeliveryStage.class);
    private static final long INTERRUPTED_NS = TimeUnit.SECONDS.toNanos(1);
    /**
     * What is not received is lost, and what is not delivered waits in the journal. A third of a receiver's share,
     * because retention waits for outputs.
     */
    private static final int NICE = 5;

    private final Journal journal;
    private final CounterFile counters;
    private final AppendSignal appends;
    private final ExpandedPayloads expanded = new ExpandedPayloads();
    private final NeededThreads threads;
    private volatile List<Member> members;

    /** A delivery and its thread. */
    private record Member(Delivery delivery, Sink sink, AgentRunner runner) {}

    /** Prepares the deliveries; {@link #start} starts their threads, which are needed. */
    public DeliveryStage(
            List<Output> outputs, Journal journal, CounterFile counters, AppendSignal appends, NeededThreads threads) {
        this.journal = journal;
        this.counters = counters;
        this.appends = appends;
        this.threads = threads;
        this.members = outputs.stream().map(this::member).toList();
    }

    private Member member(Output output) {
        SinkSettings settings = output.settings();
        Delivery delivery = new Delivery(settings, output.sink(), journal, counters, appends.newReader(), expanded);
        return new Member(delivery, output.sink(), AgentRunner.nice(delivery, delivery::idle, NICE));
    }

    /** Starts the threads. */
    public void start() {
        members.forEach(member -> member.runner().start(threads));
    }

    /**
     * Ends deliveries and starts others. One thread, which is not that of {@link #stop}.
     *
     * @param unchanged the names of the deliveries that stay
     * @param others the new deliveries: they replace those with the same name, or come last
     * @param endNs the deadline of those that end, by {@link System#nanoTime}
     * @throws IllegalArgumentException if a name is given twice, or a delivery that should stay does not exist
     */
    public void change(Set<String> unchanged, List<Output> others, long endNs) {
        Replacement replacement = replace(unchanged, others);
        stop(replacement.ending(), endNs);
        begin(replacement);
    }

    /**
     * Ends a delivery and starts it again at another position.
     *
     * @param output the delivery that starts; one of its name ends
     * @param next the sequence number of the next datagram, by shard
     * @param endNs the deadline of the one that ends, by {@link System#nanoTime}
     * @throws IOException if the position cannot be stored: then it continues where it was
     */
    public void move(Output output, long[] next, long endNs) throws IOException {
        Set<String> unchanged = members.stream()
                .map(member -> member.delivery().name())
                .filter(name -> !name.equals(output.settings().name()))
                .collect(Collectors.toSet());
        Replacement replacement = replace(unchanged, List.of(output));
        stop(replacement.ending(), endNs);
        try {
            new SinkPositions(journal).set(output.settings().name(), next);
        } finally {
            begin(replacement);
        }
    }

    /** The deliveries of the future, those of them that do not run yet, and those that must end before. */
    private record Replacement(List<Member> all, List<Member> starting, List<Member> ending) {}

    private Replacement replace(Set<String> unchanged, List<Output> others) {
        Map<String, Member> next = new LinkedHashMap<>();
        List<Member> starting = new ArrayList<>();
        List<Member> ending = new ArrayList<>();
        for (Member member : members) {
            if (unchanged.contains(member.delivery().name())) {
                next.put(member.delivery().name(), member);
            } else {
                ending.add(member);
            }
        }
        if (!next.keySet().equals(unchanged)) {
            throw new IllegalArgumentException("cannot keep " + unchanged + ": only " + next.keySet() + " exist");
        }
        for (Output output : others) {
            Member member = member(output);
            starting.add(member);
            members.stream()
                    .map(Member::delivery)
                    .filter(earlier -> earlier.name().equals(output.settings().name()))
                    .forEach(member.delivery()::continues);
            if (next.put(output.settings().name(), member) != null) {
                throw new IllegalArgumentException("outputs accepts each name once, not '"
                        + output.settings().name() + "' twice");
            }
        }
        return new Replacement(List.copyOf(next.values()), starting, ending);
    }

    private void begin(Replacement replacement) {
        members = replacement.all();
        replacement.starting().forEach(member -> member.runner().start(threads));
    }

    /**
     * Delivers the dead letters of a sink again, by its own thread and in its turn. While the destination does not answer, they wait as
     * all its messages do.
     *
     * @return done when the destination has answered for all of them, or the sink ends
     * @throws IllegalArgumentException if there is no sink of that name
     */
    public CompletableFuture<Redelivered> redeliver(String name) {
        return find(name)
                .orElseThrow(() -> new IllegalArgumentException("there is no output '" + name + "'; the outputs are: "
                        + members.stream()
                                .map(member -> member.delivery().name())
                                .collect(Collectors.joining(", "))))
                .redelivery()
                .request();
    }

    /**
     * Deletes the dead letters of a sink, whether it is in use or not.
     *
     * @return how many there were
     */
    public long dropDeadLetters(String name) throws IOException {
        Optional<Delivery> delivery = find(name);
        return delivery.isPresent()
                ? delivery.get().redelivery().drop()
                : new DeadLetters(journal, SinkSettings.of(name)).drop();
    }

    private Optional<Delivery> find(String name) {
        return members.stream()
                .map(Member::delivery)
                .filter(delivery -> delivery.name().equals(name))
                .findFirst();
    }

    /** See {@link Sink#refresh}. */
    public void refresh() {
        members.forEach(member -> member.sink().refresh());
    }

    /** The state of each sink. */
    public List<SinkStatus> status() {
        return members.stream().map(member -> member.delivery().status()).toList();
    }

    /** How many datagrams each output has acknowledged, by its name. */
    public Map<String, Long> acked() {
        Map<String, Long> acked = new LinkedHashMap<>();
        for (Member member : members) {
            acked.put(member.delivery().name(), member.delivery().acked());
        }
        return acked;
    }

    /** The positions of each sink on disk. */
    public List<OutputProgress> acknowledged() {
        return members.stream().map(member -> member.delivery().acknowledged()).toList();
    }

    /**
     * Delivers what is in the journal until the deadline, then ends. The rest is sent after the next start. A sink that does not return is
     * interrupted, then abandoned.
     *
     * @param endNs the deadline, by {@link System#nanoTime}
     */
    public void stop(long endNs) {
        stop(members, endNs);
    }

    /**
     * Waits until the deadline for the sinks' answers, then ends, however much more is in the journal.
     *
     * @param endNs the deadline, by {@link System#nanoTime}
     */
    public void settle(long endNs) {
        members.forEach(member -> member.delivery().settle(endNs));
        awaitEnd(members, endNs);
    }

    private static void stop(List<Member> ending, long endNs) {
        ending.forEach(member -> member.delivery().stop(endNs));
        awaitEnd(ending, endNs);
    }

    private static void awaitEnd(List<Member> ending, long endNs) {
        await(ending, endNs + INTERRUPTED_NS);
        for (Member member : ending) {
            if (!member.delivery().isFinished()) {
                member.runner().interrupt();
            }
        }
        await(ending, System.nanoTime() + INTERRUPTED_NS);
        ending.forEach(member -> end(member.delivery(), member.runner()));
    }

    private static void end(Delivery delivery, AgentRunner runner) {
        if (!delivery.isFinished()) {
            delivery.abandon();
            runner.leave();
            LOG.error(
                    "Output {} does not end and is abandoned; what it has not acknowledged is sent after the next start",
                    delivery.roleName());
            return;
        }
        try {
            runner.close();
        } catch (IllegalStateException e) {
            LOG.error("Output {}: {}", delivery.roleName(), e.getMessage());
        }
    }

    private static void await(List<Member> ending, long untilNs) {
        while (!ending.stream().allMatch(member -> member.delivery().isFinished()) && System.nanoTime() - untilNs < 0) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }
}
