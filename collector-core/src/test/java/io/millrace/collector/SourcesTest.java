package io.millrace.collector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.internal.counters.CounterFile;
import io.millrace.internal.sources.SourceTracker;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Source tracking of a whole collector. */
class SourcesTest {
    private static final int NUMBERS = 3000;
    private static final int HOLES = 18;

    @TempDir
    Path root;

    private CollectorBuilder builder() {
        return Collector.builder()
                .listen("in", new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .journal(root.resolve("data"))
                .transport("nio")
                .receivers(1)
                .sources(true);
    }

    /** Messages of Cisco's kind; one in a hundred of the first 1,900 is lost on the way. */
    private static void send(Collector collector) throws IOException {
        long sent = 0;
        try (DatagramSocket socket = new DatagramSocket()) {
            for (int number = 1; number <= NUMBERS; number++) {
                if (number % 100 != 50 || number < 100 || number > 1900) {
                    byte[] payload = ("<189>" + number + ": *Mar  1 18:46:11: %SYS-5-CONFIG_I: Configured")
                            .getBytes(StandardCharsets.US_ASCII);
                    socket.send(new DatagramPacket(
                            payload, payload.length, collector.addresses().get(0)));
                    sent++;
                }
                if (number % 500 == 0) {
                    long all = sent;
                    await().until(() -> collector.sinceStart(Counter.JOURNALED_DATAGRAMS) == all);
                }
            }
        }
    }

    private static SourcesStatus sources(Collector collector) {
        return Objects.requireNonNull(collector.sources());
    }

    @Test
    void reportsSequenceGaps() throws IOException {
        try (Collector collector = builder().build().start()) {
            send(collector);
            // All of them are further back than a number may come late.
            await().until(() -> sources(collector).missing() == HOLES);
            SourcesStatus status = sources(collector);
            assertThat(status.known()).isEqualTo(1);
            assertThat(status.behind()).isZero();
            assertThat(status.restarts()).isZero();
            assertThat(status.numbering()).isTrue();
            assertThat(status.top()).singleElement().satisfies(it -> {
                assertThat(it.source()).hasToString("127.0.0.1");
                assertThat(it.perSecond()).isPositive();
            });
            assertThat(status.gaps())
                    .containsExactly(new SourcesStatus.Gaps(status.top().get(0).source(), HOLES));
            assertThat(status.silent()).isEmpty();
        }
    }

    @Test
    void reportsASilentSource() throws IOException {
        List<String> said = new ArrayList<>();
        long[] laterNs = {0};
        try (Collector collector = builder().sources(false).build().start();
                SourceTracker watch = new SourceTracker(
                        collector.journal(),
                        CounterFile.openReadOnly(root.resolve("data").resolve("counters")),
                        new SourceTracker.Settings(
                                SilenceLimit.times(3), true, root.resolve("sources"), Integer.MAX_VALUE),
                        () -> TimeUnit.MILLISECONDS.toNanos(Instant.now().toEpochMilli()) + laterNs[0],
                        (level, line) -> said.add(line))) {
            assertThat(collector.sources()).isNull();
            watch.begin();
            send(collector);
            while (watch.doWork() > 0) {
                // Goes on.
            }
            laterNs[0] = TimeUnit.SECONDS.toNanos(50);
            assertThat(watch.doWork()).isZero();
            assertThat(watch.status().missing()).isEqualTo(HOLES);
            assertThat(watch.status().silent()).isEmpty();
            laterNs[0] = TimeUnit.SECONDS.toNanos(200);
            assertThat(watch.doWork()).isZero();
            assertThat(watch.status().silentCount()).isEqualTo(1);
            assertThat(watch.status().silent())
                    .singleElement()
                    .satisfies(it -> assertThat(it.source()).hasToString("127.0.0.1"));
            assertThat(said).singleElement().asString().startsWith("Source 127.0.0.1 is silent: no datagram for 3 min");
        }
    }

    @Test
    void sequencesOfASpreadSourceAreNotTracked() throws IOException {
        try (Collector collector = builder()
                .transport("auto")
                .receivers(2)
                .steering(Steering.SPREAD)
                .build()
                .start()) {
            assertThat(sources(collector).numbering()).isFalse();
        }
        try (Collector collector = builder()
                .transport("auto")
                .receivers(1)
                .steering(Steering.SPREAD)
                .build()
                .start()) {
            assertThat(sources(collector).numbering()).isTrue();
        }
    }
}
