package io.millrace.collector;

import java.time.Duration;
import java.util.Objects;

/** When lines of a stream are one message. Immutable, and equal if expression and timeout are. */
public final class Multiline {
    /** The shortest timeout. */
    public static final Duration MIN_TIMEOUT = Duration.ofSeconds(1);

    /** The longest timeout. */
    public static final Duration MAX_TIMEOUT = Duration.ofMinutes(1);

    /** Decides whether a line is the first of a message. Many threads call it. */
    @FunctionalInterface
    public interface FirstLine {
        /** True if the line from {@code begin} to {@code end} begins a message. */
        boolean test(byte[] bytes, int begin, int end);
    }

    private final String expression;
    private final FirstLine first;
    private final Duration timeout;

    /**
     * Creates it.
     *
     * @param expression stands for {@code first} in texts and comparisons
     * @param first the lines that begin a message; all others belong to the message before
     * @param timeout how long a message waits for further lines, 1 s to 1 min
     */
    public Multiline(String expression, FirstLine first, Duration timeout) {
        if (timeout.compareTo(MIN_TIMEOUT) < 0 || timeout.compareTo(MAX_TIMEOUT) > 0) {
            throw new IllegalArgumentException("timeout takes 1s to 1m, not " + timeout.toMillis() + "ms");
        }
        this.expression = expression;
        this.first = first;
        this.timeout = timeout;
    }

    /** True if a line begins a message. */
    public boolean begins(byte[] bytes, int begin, int end) {
        return first.test(bytes, begin, end);
    }

    /** How long a message waits for further lines. */
    public Duration timeout() {
        return timeout;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Multiline that && expression.equals(that.expression) && timeout.equals(that.timeout);
    }

    @Override
    public int hashCode() {
        return Objects.hash(expression, timeout);
    }

    /** The expression. */
    @Override
    public String toString() {
        return expression;
    }
}
