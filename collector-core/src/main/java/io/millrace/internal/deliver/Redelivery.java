package io.millrace.internal.deliver;

import io.millrace.internal.agent.FailureLog;
import io.millrace.journal.Journal;
import io.millrace.sink.Output.Redelivered;
import io.millrace.sink.SinkBatch;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Delivers dead letters again, on request. Their messages go the way of all others: they are read from the journal, edited, encoded, sent
 * as batches of the delivery, and sent again until the destination answers. A dead letter is removed only after the destination has accepted
 * its message; if that is refused again, it stays. So no message is lost. After a crash in between, messages may be delivered twice, with
 * the same identity. Between two batches the journal's messages have their turn.
 *
 * <p>The delivery's thread, except for {@link #request} and {@link #drop}.
 */
final class Redelivery {
    /** For a batch: other messages wait while they are read. */
    private static final int MAX_LETTERS = 1_000;
    /** Delivered and not removed yet: the files are rewritten to remove them. */
    private static final int MAX_DELIVERED = 100_000;

    private final FailureLog failures = new FailureLog(LoggerFactory.getLogger(Redelivery.class));
    private final DeadLetters deadLetters;
    private final Runnable wake;
    private final AtomicReference<@Nullable Request> request = new AtomicReference<>();
    private final Set<Place> delivered = new HashSet<>();
    private final PlaceReader reader;
    private @Nullable DeliveryBatch batch;
    /** True if the dead letters of a request were deleted. */
    private volatile boolean dropped;
    /** True if it is the turn of the journal's messages. */
    private boolean pauses;

    /**
     * Where the message of a dead letter is in the journal.
     *
     * @param part its number in the datagram; {@link DeliveryBatch#NO_PART} for all of it
     */
    record Place(int shard, long sequence, int part) implements Comparable<Place> {
        private static final String BEGIN = "{\"time\":\"";
        private static final String SEQUENCE = "\"sequence\":";
        private static final String PART = "\"part\":";
        private static final Comparator<Place> ORDER = Comparator.comparingInt(Place::shard)
                .thenComparingLong(Place::sequence)
                .thenComparingInt(Place::part);

        @Override
        public int compareTo(Place other) {
            return ORDER.compare(this, other);
        }

        /** True if both are messages of one datagram. */
        boolean isOf(Place other) {
            return shard == other.shard && sequence == other.sequence;
        }

        /** The place in a line of this journal; null if it is none, such as half a line after a crash. A quote in a value is escaped. */
        static @Nullable Place of(String line, long journalId) {
            String mark = String.format(Locale.ROOT, ",\"journal\":\"%016x\",\"shard\":", journalId);
            int at = line.indexOf(mark);
            if (at < 0 || !line.startsWith(BEGIN) || line.indexOf(BEGIN, 1) >= 0) {
                return null;
            }
            String[] numbers = line.substring(at + mark.length()).split("[,}]", 4);
            try {
                boolean hasPart = numbers.length > 2 && numbers[2].startsWith(PART);
                return new Place(
                        Integer.parseInt(numbers[0]),
                        Long.parseLong(numbers[1].substring(SEQUENCE.length())),
                        hasPart ? Integer.parseInt(numbers[2].substring(PART.length())) : SinkBatch.NO_PART);
            } catch (NumberFormatException | IndexOutOfBoundsException e) {
                return null;
            }
        }
    }

    /** A request, and what became of it so far. */
    private static final class Request {
        private final CompletableFuture<Redelivered> result = new CompletableFuture<>();
        private @Nullable Deque<Place> left;
        private long delivered;
        private long refused;
        private long gone;

        Redelivered now(boolean isCut) {
            return new Redelivered(delivered, refused, gone, isCut || left == null || !left.isEmpty());
        }
    }

    /**
     * Creates the object.
     *
     * @param wake called at a request, by the thread that requests
     */
    Redelivery(Journal journal, DeadLetters deadLetters, Runnable wake) {
        this.reader = new PlaceReader(journal);
        this.deadLetters = deadLetters;
        this.wake = wake;
    }

    /** Begins with the dead letters that there are; joins a request that is not done. Any thread. */
    CompletableFuture<Redelivered> request() {
        Request next = new Request();
        Request other = request.compareAndExchange(null, next);
        wake.run();
        return other == null ? next.result : other.result;
    }

    /** Deletes the dead letters; returns how many there were. Those on the way are delivered or refused again. Any thread. */
    long drop() throws IOException {
        long count = deadLetters.drop();
        dropped = true;
        return count;
    }

    /** True if dead letters are to be sent, and none are on the way. */
    boolean isDue() {
        return batch == null && request.get() != null;
    }

    /** True if the journal's messages have their turn before the next batch of dead letters. Asked once for each turn. */
    boolean takePause() {
        boolean paused = pauses;
        pauses = false;
        return paused;
    }

    /**
     * Fills a batch with dead letters; it has none if all were sent.
     *
     * @return false if a dead letter or the journal cannot be read: then the request has failed
     */
    boolean fill(DeliveryBatch next, BatchFiller filler) {
        Request current = request.get();
        if (current == null) {
            return false;
        }
        try {
            fill(next, filler, current);
        } catch (IOException | RuntimeException e) {
            request.set(null);
            reader.close();
            removeDelivered();
            current.result.completeExceptionally(e);
            return false;
        }
        // Its position is not in the journal's order, so it does not count for how far the output is behind.
        next.firstTimeNs = 0;
        batch = next;
        return true;
    }

    private void fill(DeliveryBatch next, BatchFiller filler, Request current) throws IOException {
        if (dropped) {
            dropped = false;
            current.left = current.left == null ? null : new ArrayDeque<>();
        }
        Deque<Place> left = current.left;
        if (left == null) {
            left = new ArrayDeque<>(deadLetters.places());
            current.left = left;
        }
        List<Place> parts = new ArrayList<>();
        for (int i = 0; i < MAX_LETTERS && !left.isEmpty() && filler.hasRoom(next); i += parts.size()) {
            parts.clear();
            do {
                parts.add(left.removeFirst());
            } while (!left.isEmpty() && left.getFirst().isOf(parts.get(0)));
            current.gone += parts.size() - filler.add(next, parts, reader);
        }
    }

    /** True for the batch with dead letters. */
    boolean owns(DeliveryBatch settled) {
        return batch == settled;
    }

    /** Settles the batch. Its dead letters are removed at the end, or once many are to be removed; those that were refused again stay. */
    void settle(DeliveryBatch settled) {
        Request current = request.get();
        int before = delivered.size();
        for (int i = 0; i < settled.size(); i++) {
            if (settled.refusal(i) == null) {
                delivered.add(new Place(settled.shard(i), settled.sequence(i), settled.part(i)));
            }
        }
        boolean ends = current == null || current.left == null || current.left.isEmpty();
        int accepted = delivered.size() - before;
        if (ends || delivered.size() >= MAX_DELIVERED) {
            removeDelivered();
        }
        batch = null;
        pauses = true;
        if (current != null) {
            current.delivered += accepted;
            current.refused += settled.size() - accepted;
        }
        if (ends) {
            end();
        }
    }

    /** Ends the request: the output sends no more. */
    void end() {
        reader.close();
        Request current = request.getAndSet(null);
        if (current != null) {
            current.result.complete(current.now(batch != null));
        }
        removeDelivered();
    }

    private void removeDelivered() {
        if (delivered.isEmpty()) {
            return;
        }
        try {
            deadLetters.remove(delivered);
        } catch (IOException | RuntimeException e) {
            failures.report("Dead letters that were delivered cannot be removed: another retry delivers them again", e);
        }
        delivered.clear();
    }
}
