package io.millrace.collector;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** An error names the method of the builder, what it got, and what it takes. */
class CollectorBuilderTest {
    private static final InetSocketAddress ADDRESS = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private static CollectorBuilder valid() {
        return Collector.builder().listen("a", ADDRESS);
    }

    @Test
    void wrongValuesNameTheMethod() {
        Map<String, UnaryOperator<CollectorBuilder>> wrong = Map.of(
                "receiveBuffer takes 4096 bytes to 1 GiB, not 1 bytes", builder -> builder.receiveBuffer(1),
                "maxDatagram takes 1 to 65527 bytes, not 0 bytes", builder -> builder.maxDatagram(0),
                "receivers takes 1 to 256, not 300", builder -> builder.receivers(300),
                "slabs takes 4 to 4096, not 1", builder -> builder.slabs(1, 1 << 18),
                "receiveLatency takes 0 ms to 100 ms, not 200 ms",
                        builder -> builder.receiveLatency(Duration.ofMillis(200)),
                "stopTimeout takes a time that is not negative, not PT-1S",
                        builder -> builder.stopTimeout(Duration.ofSeconds(-1)),
                "listen takes each name once, not the name 'a' twice", builder -> builder.listen("a", ADDRESS),
                "listen takes a name of 1 to 255 characters, not ''", builder -> builder.listen("", ADDRESS));
        wrong.forEach((message, change) -> assertThatIllegalArgumentException()
                .isThrownBy(() -> change.apply(valid()).build())
                .withMessage(message));
    }

    @Test
    @SuppressWarnings("NullAway") // What a program without null checks does.
    void nullsNameTheMethod() {
        Map<String, UnaryOperator<CollectorBuilder>> wrong = Map.of(
                "listen", builder -> builder.listen(null, ADDRESS),
                "journal", builder -> builder.journal(null),
                "sync", builder -> builder.sync(null),
                "stopLinger", builder -> builder.stopLinger(null),
                "deliver", builder -> builder.deliver(null, null));
        wrong.forEach((method, change) -> assertThatNullPointerException()
                .isThrownBy(() -> change.apply(valid()))
                .withMessage(method + " takes a value, not null"));
    }
}
