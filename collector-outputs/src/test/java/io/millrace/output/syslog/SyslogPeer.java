package io.millrace.output.syslog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.collector.Collector;
import io.millrace.collector.Counter;
import io.millrace.sink.SinkSettings;
import io.millrace.sink.SinkStatus;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What other syslog servers are sent: messages that harm them, or an output, and numbered ones that have to arrive. */
final class SyslogPeer {
    private static final Pattern NUMBER = Pattern.compile("good n=(\\d+);");
    private static final int COUNT = 200;
    private static final Duration SOON = Duration.ofSeconds(30);

    private SyslogPeer() {}

    static SortedSet<Integer> expected() {
        return IntStream.range(0, COUNT).boxed().collect(Collectors.toCollection(TreeSet::new));
    }

    static SortedSet<Integer> numbers(String text) {
        SortedSet<Integer> numbers = new TreeSet<>();
        for (Matcher matcher = NUMBER.matcher(text); matcher.find(); ) {
            numbers.add(Integer.valueOf(matcher.group(1)));
        }
        return numbers;
    }

    /** Sends them through a collector, and waits until each is delivered or a dead letter; returns how many are delivered. */
    static long deliverHostile(Path directory, SyslogSettings settings) throws Exception {
        List<String> messages = new ArrayList<>();
        messages.add("<13>1 2026-11-21T10:00:00Z evil a - - - " + "\u0001".repeat(60_000));
        messages.add("99999 <13>1 2026-11-21T10:00:00Z evil a - - - x");
        messages.add("12345678901234567890");
        messages.add("<13>1 2026-11-21T10:00:00Z evil a - - [x@1 y=\"" + "z".repeat(60_000) + "\"] x");
        for (int i = 0; i < COUNT; i++) {
            messages.add("<13>1 2026-11-21T10:00:00Z host a - - - good n=" + i + ";");
        }
        try (Collector collector = Collector.builder()
                        .listen("syslog", new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                        .journal(directory.resolve("hostile"))
                        .transport("nio")
                        .receivers(1)
                        .deliver(SinkSettings.of("peer"), settings.sink("peer"))
                        .build()
                        .start();
                DatagramSocket socket = new DatagramSocket()) {
            for (int i = 0; i < messages.size(); i++) {
                byte[] payload = messages.get(i).getBytes(UTF_8);
                socket.send(new DatagramPacket(
                        payload, payload.length, collector.addresses().get(0)));
                long sent = i + 1L;
                await().atMost(SOON)
                        .pollDelay(Duration.ZERO)
                        .pollInterval(Duration.ofMillis(2))
                        .until(() -> collector.sinceStart(Counter.JOURNALED_DATAGRAMS) == sent);
            }
            await().atMost(SOON).untilAsserted(() -> {
                SinkStatus status = collector.outputs().get(0);
                assertThat(status.counts().acked() + status.counts().deadLettered())
                        .as(status.toString())
                        .isEqualTo(messages.size());
            });
            return collector.outputs().get(0).counts().acked();
        }
    }
}
