package io.millrace.app.report;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import org.slf4j.Logger;

/**
 * The configuration of logging: to standard error, because standard output is for data. In Java, because to read it as XML takes a tenth of
 * the time of a start. The system property {@code logback.configurationFile} still names a file that replaces it.
 */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_HIGH_PRIORITY)
public final class LogSetup extends ContextAwareBase implements Configurator {
    private static final String FILE_PROPERTY = "logback.configurationFile";

    /** Called by logback. */
    public LogSetup() {}

    @Override
    public ExecutionStatus configure(LoggerContext logback) {
        if (System.getProperty(FILE_PROPERTY) != null) {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        LogLine line = new LogLine();
        line.setContext(logback);
        line.start();
        LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
        encoder.setContext(logback);
        encoder.setLayout(line);
        encoder.start();
        ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
        appender.setContext(logback);
        appender.setName("stderr");
        appender.setTarget("System.err");
        appender.setEncoder(encoder);
        appender.start();
        logback.getLogger("io.millrace").setLevel(Level.INFO);
        // An output says by itself, and once, that its destination is away.
        logback.getLogger("org.apache.kafka").setLevel(Level.ERROR);
        ch.qos.logback.classic.Logger root = logback.getLogger(Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.WARN);
        root.addAppender(appender);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }
}
