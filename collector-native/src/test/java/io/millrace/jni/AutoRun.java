package io.millrace.jni;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.millrace.collector.Collector;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.slf4j.LoggerFactory;

/** Starts a collector with the transport auto, prints the selected transport, and stops the collector. */
final class AutoRun {
    private AutoRun() {}

    public static void main(String[] args) throws IOException {
        // Tests log nothing below WARN, and a service does.
        ((Logger) LoggerFactory.getLogger("io.millrace")).setLevel(Level.INFO);
        try (Collector collector = Collector.builder()
                .journal(Path.of(args[0]))
                .listen("it", new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .build()
                .start()) {
            System.out.println("took " + collector.transport());
        }
    }
}
