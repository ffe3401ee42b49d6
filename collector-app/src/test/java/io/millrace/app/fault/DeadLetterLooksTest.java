package io.millrace.app.fault;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.app.Main;
import io.millrace.app.admin.ServiceStatus;
import io.millrace.collector.Collector;
import io.millrace.message.LineBuffer;
import io.millrace.message.LogRecord;
import io.millrace.sink.Refusal;
import io.millrace.sink.Sink;
import io.millrace.sink.SinkBatch;
import io.millrace.sink.SinkSettings;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An output that rejects messages from its first one on: the fault is there at once, and until somebody looks. */
class DeadLetterLooksTest {
    private static final Duration SOON = Duration.ofSeconds(20);

    @TempDir
    private Path data;

    private Collector collector;
    private ServiceStatus status;

    /** Rejects each message. */
    private static final class Rejecting implements Sink {
        @Override
        public @Nullable Object encode(LogRecord record, LineBuffer out) {
            out.ascii("x");
            return null;
        }

        @Override
        public void send(SinkBatch batch) {
            for (int i = 0; i < batch.size(); i++) {
                batch.refuse(i, Refusal.REJECTED, "no such index");
            }
            batch.done();
        }

        @Override
        public void close() {}
    }

    @BeforeEach
    void start() throws IOException {
        collector = Collector.builder()
                .listen("syslog", new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .journal(data)
                .deliver(SinkSettings.of("search"), new Rejecting())
                .build()
                .start();
        status = new ServiceStatus(collector, "1.2.3", Duration.ofMinutes(5));
    }

    @AfterEach
    void stop() throws IOException {
        status.close();
        collector.close();
    }

    private void send(int messages) throws IOException {
        long before = rejected();
        try (DatagramSocket socket = new DatagramSocket()) {
            for (int i = 0; i < messages; i++) {
                byte[] bytes = "<13>a: x".getBytes(UTF_8);
                socket.send(new DatagramPacket(
                        bytes, bytes.length, collector.addresses().get(0)));
            }
        }
        await().atMost(SOON).until(() -> rejected() == before + messages);
    }

    private long rejected() {
        return collector.outputs().get(0).counts().deadLettered();
    }

    private List<String> faults() {
        return status.faults().stream()
                .filter(fault -> fault.kind() == FaultKind.OUTPUT_REJECTS)
                .map(Fault::summary)
                .toList();
    }

    private int run(String... arguments) {
        PrintStream out = System.out;
        System.setOut(new PrintStream(OutputStream.nullOutputStream(), true, UTF_8));
        try {
            return Main.execute(arguments);
        } finally {
            System.setOut(out);
        }
    }

    @Test
    void rejectingEverythingRightAfterTheStartIsAFaultUntilSomebodyLooks() throws IOException {
        assertThat(faults()).isEmpty();
        send(26);
        assertThat(faults())
                .containsExactly(
                        "26 messages became dead letters of output search, 26 of them in the last minute, and nobody"
                                + " has looked at them; the last one is from 127.0.0.1");
        assertThat(run("dead-letters", "show", "search", "--data", data.toString()))
                .isZero();
        assertThat(faults()).isEmpty();
        send(1);
        assertThat(faults()).singleElement().asString().startsWith("1 messages became dead letters of output search");
    }

    @ParameterizedTest
    @ValueSource(strings = {"list", "show search", "show search -n 1", "show search --json"})
    void eachLookEndsTheFault(String command) throws IOException {
        send(2);
        assertThat(faults()).hasSize(1);
        assertThat(run(("dead-letters " + command + " --data " + data).split(" ", -1)))
                .isZero();
        assertThat(faults()).isEmpty();
    }

    @Test
    void faultOutlivesTheProcess() throws IOException {
        send(2);
        stop();
        start();
        assertThat(faults()).containsExactly("output search has dead letters that nobody has looked at");
        assertThat(run("dead-letters", "list", "--data", data.toString())).isZero();
        assertThat(faults()).isEmpty();
        stop();
        start();
        assertThat(faults()).isEmpty();
    }

    @Test
    void droppedOnesAreNoFault() throws IOException {
        send(2);
        stop();
        assertThat(run("dead-letters", "drop", "search", "--data", data.toString()))
                .isZero();
        start();
        assertThat(faults()).isEmpty();
    }
}
