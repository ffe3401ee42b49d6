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
                "receiveBuffer accepts a size such as 64M, from 4 KiB to 1 GiB, not 1 byte",
                        builder -> builder.receiveBuffer(1),
                "maxDatagram accepts a size such as 8K, from 1 byte to 65527 bytes, not 0 bytes",
                        builder -> builder.maxDatagram(0),
                "receivers accepts auto or a number from 1 to 256, not 300", builder -> builder.receivers(300),
                "slabs accepts a whole number from 4 to 4096, not 1", builder -> builder.slabs(1, 1 << 18),
                "receiveLatency accepts a time from 0ms to 100ms, not 200ms",
                        builder -> builder.receiveLatency(Duration.ofMillis(200)),
                "stopTimeout accepts a time such as 500ms, 10s, 2m, 1h or 7d, not -1s",
                        builder -> builder.stopTimeout(Duration.ofSeconds(-1)),
                "listen accepts each name once, not the name 'a' twice", builder -> builder.listen("a", ADDRESS),
                "listen accepts a name of 1 to 255 characters, not ''", builder -> builder.listen("", ADDRESS));
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
                .withMessage(method + " requires a value, not null"));
    }
}
