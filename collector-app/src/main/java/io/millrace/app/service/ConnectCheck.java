package io.millrace.app.service;

import io.millrace.app.config.Config;
import io.millrace.internal.text.ForeignText;
import io.millrace.output.internal.secret.Secrets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Tries destinations at once, each on a thread of its own and within a time limit. To those of outputs, nothing is sent that they would
 * store.
 */
public final class ConnectCheck {
    /** The limit of one destination. */
    public static final Duration LIMIT = Duration.ofSeconds(5);

    /** For what ends at its own limit, and then says what it waited for. */
    private static final Duration GRACE = Duration.ofMillis(500);

    private ConnectCheck() {}

    /**
     * The result of one destination.
     *
     * @param name of the output, or of the target of alerts
     * @param isReached true if the destination answered, or nothing can be tried
     * @param text what answered; or what failed, and what to do
     */
    public record Result(String name, boolean isReached, String text) {
        /** Escapes what may be words of the destination. */
        public Result {
            text = ForeignText.escaped(text);
        }
    }

    /** Tries the destinations of all outputs; returns the results in the order of the configuration. */
    public static List<Result> run(Config config) throws InterruptedException {
        Map<String, Callable<String>> outputs = new LinkedHashMap<>();
        config.outputs().forEach(it -> outputs.put(it.name(), () -> it.checked().connect(it.name(), LIMIT)));
        return run(outputs, LIMIT);
    }

    /** Makes all attempts, which return what answered; returns the results in their order. */
    public static List<Result> run(Map<String, Callable<String>> attempts, Duration limit) throws InterruptedException {
        Map<String, FutureTask<String>> tasks = new LinkedHashMap<>();
        attempts.forEach((name, attempt) -> {
            FutureTask<String> task = new FutureTask<>(attempt);
            tasks.put(name, task);
            // A daemon: nothing ends the resolver of the C library, which may wait for much longer.
            Thread thread = new Thread(task, "millrace-connect-" + name);
            thread.setDaemon(true);
            thread.start();
        });
        long endNs = System.nanoTime() + limit.plus(GRACE).toNanos();
        List<Result> results = new ArrayList<>();
        for (Map.Entry<String, FutureTask<String>> each : tasks.entrySet()) {
            results.add(result(each.getKey(), each.getValue(), limit, endNs));
        }
        return results;
    }

    private static Result result(String name, FutureTask<String> attempt, Duration limit, long endNs)
            throws InterruptedException {
        try {
            String answer = attempt.get(Math.max(0, endNs - System.nanoTime()), TimeUnit.NANOSECONDS);
            return new Result(name, true, Secrets.known().redact(answer));
        } catch (TimeoutException e) {
            attempt.cancel(true);
            return new Result(
                    name,
                    false,
                    "no answer within " + limit.toSeconds()
                            + " s: the host name may take long to resolve, or a firewall drops the packets");
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            String remedy = ConnectRemedy.of(cause);
            String text = ForeignText.shown(cause.getMessage() == null ? cause.toString() : cause.getMessage());
            return new Result(name, false, Secrets.known().redact(remedy == null ? text : text + ": " + remedy));
        }
    }
}
