package io.millrace.app.report;

import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import ch.qos.logback.core.LayoutBase;
import io.millrace.internal.text.ForeignText;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A log line: time, level, thread and message; and the stack trace, in several lines. Whatever the code logs, no word of another host begins
 * a line, or is interpreted by a terminal; and no message is longer than {@value #MAX_CHARS} characters.
 */
public final class LogLine extends LayoutBase<ILoggingEvent> {
    private static final int MAX_CHARS = 4000;
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSXXX", Locale.ROOT);

    private final Trace trace = new Trace();

    @Override
    public void start() {
        trace.start();
        super.start();
    }

    @Override
    public String doLayout(ILoggingEvent event) {
        return TIME.format(event.getInstant().atZone(ZoneId.systemDefault()))
                + String.format(Locale.ROOT, " %-5s [", event.getLevel())
                + event.getThreadName() + "] "
                + ForeignText.shown(event.getFormattedMessage(), MAX_CHARS) + System.lineSeparator()
                + trace.convert(event);
    }

    private static final class Trace extends ThrowableProxyConverter {
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
