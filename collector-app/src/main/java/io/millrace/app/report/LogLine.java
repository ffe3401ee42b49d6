package io.millrace.app.report;

import ch.qos.logback.classic.pattern.ClassicConverter;
import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import io.millrace.internal.text.ForeignText;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The message of a log line, for {@code logback.xml}. Whatever the code logs, no word of another host begins a line, or is
 * interpreted by a terminal; and no line is longer than {@value #MAX_CHARS} characters.
 */
public final class LogLine extends ClassicConverter {
    private static final int MAX_CHARS = 4000;

    @Override
    public String convert(ILoggingEvent event) {
        return ForeignText.shown(event.getFormattedMessage(), MAX_CHARS);
    }

    /** The stack trace, in several lines, of which the messages of exceptions begin none. */
    public static final class Trace extends ThrowableProxyConverter {
        @Override
        protected String throwableProxyToString(IThrowableProxy thrown) {
            return super.throwableProxyToString(new OneLine(thrown));
        }
    }

    /** An exception with its message in one line. */
    private record OneLine(IThrowableProxy thrown) implements IThrowableProxy {
        @Override
        public @Nullable String getMessage() {
            String message = thrown.getMessage();
            return message == null ? null : ForeignText.shown(message, MAX_CHARS);
        }

        @Override
        public @Nullable String getOverridingMessage() {
            String message = thrown.getOverridingMessage();
            return message == null ? null : ForeignText.shown(message, MAX_CHARS);
        }

        @Override
        public String getClassName() {
            return thrown.getClassName();
        }

        @Override
        public StackTraceElementProxy[] getStackTraceElementProxyArray() {
            return thrown.getStackTraceElementProxyArray();
        }

        @Override
        public int getCommonFrames() {
            return thrown.getCommonFrames();
        }

        @Override
        public @Nullable IThrowableProxy getCause() {
            IThrowableProxy cause = thrown.getCause();
            return cause == null ? null : new OneLine(cause);
        }

        @Override
        public IThrowableProxy[] getSuppressed() {
            return Arrays.stream(thrown.getSuppressed()).map(OneLine::new).toArray(IThrowableProxy[]::new);
        }

        @Override
        public boolean isCyclic() {
            return thrown.isCyclic();
        }
    }
}
