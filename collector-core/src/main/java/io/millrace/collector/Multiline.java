package io.millrace.collector;

import io.millrace.setting.Setting;
import io.millrace.setting.SettingTypes;
import java.time.Duration;
import java.util.Objects;

/** When lines of a stream are one message. Immutable, and equal if expression and timeout are. */
public final class Multiline {
    /** How long a message waits for its next line. */
    public static final Setting<Duration> TIMEOUT = Setting.withDefault(
            "timeout",
            SettingTypes.duration(Duration.ofSeconds(1), Duration.ofMinutes(1)),
            "1s",
            "How long a message waits for its next line.");

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
     * @param timeout {@link #TIMEOUT}
     */
    public Multiline(String expression, FirstLine first, Duration timeout) {
        TIMEOUT.check(timeout);
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
