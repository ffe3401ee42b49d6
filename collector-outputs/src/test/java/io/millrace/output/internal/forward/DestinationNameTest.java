package io.millrace.output.internal.forward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DestinationNameTest {
    private static final InetAddress OLD = address(1);
    private static final InetAddress NEW = address(2);
    private static final Duration NOW = Duration.ofNanos(1);

    private final AtomicInteger lookups = new AtomicInteger();
    private volatile InetAddress[] addresses = {OLD};

    private static InetAddress address(int last) {
        try {
            return InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, (byte) last});
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    private DestinationName name(String host, Duration every) {
        DestinationName name = new DestinationName(host, every, () -> {
            lookups.incrementAndGet();
            if (addresses.length == 0) {
                throw new UnknownHostException(host);
            }
            return addresses;
        });
        name.connected();
        return name;
    }

    @Test
    void hasLeftWhenTheNameHasOtherAddresses() throws InterruptedException {
        DestinationName name = name("siem.example.com", NOW);
        assertThat(name.hasLeft(OLD)).isFalse();
        addresses = new InetAddress[] {NEW, OLD};
        assertThat(name.hasLeft(OLD)).as("the old one is still among them").isFalse();
        addresses = new InetAddress[] {NEW, NEW};
        assertThat(name.hasLeft(OLD)).isTrue();
        name.connected();
        assertThat(name.hasLeft(NEW)).isFalse();
    }

    @Test
    void nameIsLookedUpAgainOnlyAfterTheTimeOrOnRequest() throws InterruptedException {
        DestinationName name = name("siem.example.com", Duration.ofHours(1));
        addresses = new InetAddress[] {NEW};
        for (int i = 0; i < 100; i++) {
            assertThat(name.hasLeft(OLD)).isFalse();
        }
        assertThat(lookups).hasValue(0);
        name.lookUpAgain();
        assertThat(name.hasLeft(OLD)).isTrue();
        name.connected();
        assertThat(name.hasLeft(OLD)).isFalse();
        assertThat(lookups).hasValue(1);
    }

    @Test
    void zeroIsNeverButOnRequest() throws InterruptedException {
        DestinationName name = name("siem.example.com", Duration.ZERO);
        addresses = new InetAddress[] {NEW};
        assertThat(name.hasLeft(OLD)).isFalse();
        name.lookUpAgain();
        assertThat(name.hasLeft(OLD)).isTrue();
    }

    @Test
    void addressIsNeverLookedUp() throws InterruptedException {
        for (String host : new String[] {"192.0.2.1", "2001:db8::1", "[2001:db8::1]"}) {
            DestinationName name = name(host, NOW);
            name.lookUpAgain();
            assertThat(name.hasLeft(OLD)).isFalse();
        }
        assertThat(lookups).hasValue(0);
    }

    /** The connection works: it stays while the resolver does not. */
    @Test
    void nameThatCannotBeLookedUpHasNotLeft() throws InterruptedException {
        addresses = new InetAddress[0];
        assertThat(name("siem.example.com", NOW).hasLeft(OLD)).isFalse();
        assertThat(lookups).hasValue(1);
    }

    @Test
    void resolverThatHangsDelaysOneCallOnlyAndItsResultIsTakenLater() throws InterruptedException {
        CountDownLatch answer = new CountDownLatch(1);
        DestinationName name = new DestinationName("siem.example.com", NOW, () -> {
            lookups.incrementAndGet();
            try {
                answer.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return new InetAddress[] {NEW};
        });
        name.connected();
        assertThat(name.hasLeft(OLD)).isFalse();
        long begin = System.nanoTime();
        for (int i = 0; i < 100; i++) {
            assertThat(name.hasLeft(OLD)).isFalse();
        }
        assertThat(System.nanoTime() - begin).isLessThan(TimeUnit.MILLISECONDS.toNanos(400));
        assertThat(lookups).hasValue(1);
        answer.countDown();
        await().atMost(Duration.ofSeconds(20)).until(() -> name.hasLeft(OLD));
        // The first result is older than the time between two lookups.
        assertThat(lookups).hasValue(2);
    }
}
