package io.millrace.example;

import io.millrace.collector.Collector;
import io.millrace.message.Filter;
import io.millrace.message.LogRecord;
import io.millrace.message.SyslogMessage;
import io.millrace.message.SyslogMessage.Field;
import io.millrace.sink.Sink;
import io.millrace.sink.SinkSettings;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Instant;

/** A collector that hands each failed login to a method of its program. */
final class FailedLogins {
    private FailedLogins() {}

    static Collector start(InetSocketAddress address, Path data, PrintStream out) throws IOException {
        return Collector.builder()
                .listen("syslog", address)
                .journal(data)
                .deliver(
                        SinkSettings.of("logins").where(Filter.compile("message contains \"Failed password\"")),
                        Sink.forEach(record -> print(record, out)))
                .build()
                .start();
    }

    private static void print(LogRecord record, PrintStream out) {
        // Views on the journal's bytes, valid during the call. Texts are copies.
        SyslogMessage message = record.message();
        Instant time = Instant.ofEpochSecond(0, record.receiveTimeNs());
        out.printf(
                "%s of %s at %s: %s%n",
                message.text(Field.APPNAME), message.text(Field.HOSTNAME), time, message.text(Field.MESSAGE));
    }
}
