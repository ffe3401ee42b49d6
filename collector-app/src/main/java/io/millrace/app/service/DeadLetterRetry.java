package io.millrace.app.service;

import io.millrace.app.control.Answer;
import io.millrace.collector.Collector;
import io.millrace.sink.Output.Redelivered;
import io.millrace.sink.SinkStatus;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Answers {@code millrace dead-letters retry}: the output itself delivers them, and the answer waits for a while. */
final class DeadLetterRetry {
    /** Other commands wait meanwhile. */
    private static final long WAIT_S = 5;

    private final Collector collector;

    DeadLetterRetry(Collector collector) {
        this.collector = collector;
    }

    /** Delivers the dead letters of an output again; the answer says what became of them. */
    Answer run(String output) {
        CompletableFuture<Redelivered> result;
        try {
            result = collector.redeliver(output);
        } catch (IllegalArgumentException e) {
            return new Answer(
                    1,
                    e.getMessage() + ". Its dead letters stay: add an output of this name to deliver them, or drop"
                            + " them\n");
        }
        try {
            return answer(output, result.get(WAIT_S, TimeUnit.SECONDS));
        } catch (TimeoutException e) {
            return new Answer(1, String.format("%s: not done after %d s%s%n", output, WAIT_S, reason(output)));
        } catch (ExecutionException e) {
            return new Answer(1, output + ": " + e.getCause() + "\n");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Answer(1, output + ": the service stops\n");
        }
    }

    private String reason(String output) {
        String problem = problem(output);
        return (problem == null ? "" : ", because the output waits: " + problem)
                + "; the service continues with it, and 'millrace dead-letters list' shows what is left";
    }

    private @Nullable String problem(String output) {
        return collector.outputs().stream()
                .filter(status -> status.name().equals(output))
                .map(SinkStatus::problem)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    private static Answer answer(String output, Redelivered done) {
        StringBuilder text =
                new StringBuilder(output).append(String.format(Locale.ROOT, ": %,d delivered", done.delivered()));
        if (done.refused() > 0) {
            text.append(String.format(Locale.ROOT, ", %,d refused again, with the new reason", done.refused()));
        }
        if (done.gone() > 0) {
            text.append(String.format(
                    Locale.ROOT,
                    ", %,d kept, because the journal does not have them any more; 'millrace dead-letters show' has what is"
                            + " left of them",
                    done.gone()));
        }
        if (done.isCut()) {
            text.append(", the others kept, because the output ended: ask again");
        }
        boolean all = done.refused() == 0 && done.gone() == 0 && !done.isCut();
        return new Answer(all ? 0 : 1, text.append('\n').toString());
    }
}
