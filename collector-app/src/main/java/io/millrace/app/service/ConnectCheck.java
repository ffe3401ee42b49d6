package io.millrace.app.service;

import io.millrace.app.config.Config;
import io.millrace.app.config.OutputConfig;
import io.millrace.app.secret.Secrets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Tries the destinations of all outputs at once, each on a thread of its own and within a time limit. Nothing is sent that a destination
 * would store.
 */
public final class ConnectCheck {
    /** The limit of one destination. */
    public static final Duration LIMIT = Duration.ofSeconds(5);

    /** For what ends at its own limit, and then says what it waited for. */
    private static final Duration GRACE = Duration.ofMillis(500);

    private ConnectCheck() {}

    /**
     * The result of one output.
     *
     * @param output its name
     * @param isReached true if the destination answered, or nothing can be tried
     * @param text what answered; or what failed, and what to do
     */
    public record Result(String output, boolean isReached, String text) {}

    /** Tries all destinations; returns the results in the order of the configuration. */
    public static List<Result> run(Config config) throws InterruptedException {
        return run(config, LIMIT);
    }

    static List<Result> run(Config config, Duration limit) throws InterruptedException {
        Map<String, FutureTask<String>> attempts = new LinkedHashMap<>();
        for (OutputConfig output : config.outputs()) {
            FutureTask<String> attempt = new FutureTask<>(() -> output.type().connect(output, limit));
            attempts.put(output.name(), attempt);
            // A daemon: nothing ends the resolver of the C library, which may wait for much longer.
            Thread thread = new Thread(attempt, "millrace-connect-" + output.name());
            thread.setDaemon(true);
            thread.start();
        }
        long endNs = System.nanoTime() + limit.plus(GRACE).toNanos();
        List<Result> results = new ArrayList<>();
        for (Map.Entry<String, FutureTask<String>> each : attempts.entrySet()) {
            results.add(result(each.getKey(), each.getValue(), limit, endNs));
        }
        return results;
    }

    private static Result result(String output, FutureTask<String> attempt, Duration limit, long endNs)
            throws InterruptedException {
        try {
            String answer = attempt.get(Math.max(0, endNs - System.nanoTime()), TimeUnit.NANOSECONDS);
            return new Result(output, true, Secrets.known().redact(answer));
        } catch (TimeoutException e) {
            attempt.cancel(true);
            return new Result(
                    output,
                    false,
                    "no answer within " + limit.toSeconds()
                            + " s: the host name may take long to resolve, or a firewall drops the packets");
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            String remedy = ConnectRemedy.of(cause);
            String text = cause.getMessage() == null ? cause.toString() : cause.getMessage();
            return new Result(output, false, Secrets.known().redact(remedy == null ? text : text + ": " + remedy));
        }
    }
}
