package io.millrace.deliver;

import io.millrace.deliver.DeliveryStage.Redelivered;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Delivers dead letters again, on request. Their messages go the way of all others: they are read from the journal, edited, encoded, sent
 * as batches of the delivery, and sent again until the destination answers. A dead letter is removed only after that: once the
 * destination has accepted its message, or together with the new dead letter if it has refused the message again. So no message is lost.
 * After a crash in between, a message may be delivered twice, with the same identity.
 *
 * <p>The delivery's thread, except for {@link #request}.
 */
final class Redelivery {
    /** In a batch: each is searched in the journal, and other messages wait meanwhile. */
    private static final int MAX_LETTERS = 1_000;

    private final DeadLetters deadLetters;
    private final Runnable wake;
    private final AtomicReference<@Nullable Request> request = new AtomicReference<>();
    private @Nullable SinkBatch batch;
    private final List<Place> sent = new ArrayList<>();

    /**
     * Where the message of a dead letter is in the journal.
     *
     * @param part its number in the datagram; {@link SinkBatch#NO_PART} for all of it
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

        Redelivered now() {
            return new Redelivered(delivered, refused, gone, left == null || !left.isEmpty());
        }
    }

    /**
     * Creates the object.
     *
     * @param wake called at a request, by the thread that requests
     */
    Redelivery(DeadLetters deadLetters, Runnable wake) {
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

    /** True if dead letters are to be sent, and none are on the way. */
    boolean isDue() {
        return batch == null && request.get() != null;
    }

    /** Fills a batch with dead letters; it has none if all were sent. */
    void fill(SinkBatch next, BatchFiller filler) throws IOException {
        Request current = request.get();
        if (current == null) {
            return;
        }
        Deque<Place> left = current.left;
        if (left == null) {
            left = new ArrayDeque<>(deadLetters.places());
            current.left = left;
        }
        sent.clear();
        while (!left.isEmpty() && filler.hasRoom(next) && sent.size() < MAX_LETTERS) {
            Place place = left.getFirst();
            if (filler.add(next, place)) {
                sent.add(place);
            } else {
                current.gone++;
            }
            left.removeFirst();
        }
        // Its position is not in the journal's order, so it does not count for how far the output is behind.
        next.firstTimeNs = 0;
        batch = next;
    }

    /** True for the batch with dead letters. */
    boolean owns(SinkBatch settled) {
        return batch == settled;
    }

    /** Settles the batch: removes its dead letters, except for those that are dead letters again. */
    void settle(SinkBatch settled) throws IOException {
        if (!sent.isEmpty()) {
            deadLetters.replace(sent, settled);
        }
        batch = null;
        Request current = request.get();
        if (current == null) {
            return;
        }
        for (int i = 0; i < settled.size(); i++) {
            boolean isRefused = settled.refusal(i) != null;
            current.delivered += isRefused ? 0 : 1;
            current.refused += isRefused ? 1 : 0;
        }
        if (current.left == null || current.left.isEmpty()) {
            end();
        }
    }

    /** Ends the request: the output sends no more. */
    void end() {
        Request current = request.getAndSet(null);
        if (current != null) {
            current.result.complete(current.now());
        }
    }
}
