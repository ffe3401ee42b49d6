package io.millrace.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.FreePort;
import io.millrace.journal.DatagramView;
import io.millrace.journal.Journal;
import io.millrace.journal.JournalCursor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real proxy between the sender and the service. */
@Tag("calm")
@Timeout(120)
class ProxyIT {
    private static final Pattern PORT = Pattern.compile("tcp \\S*:(\\d+)[ ,]");
    private static final Duration SOON = Duration.ofSeconds(20);

    @TempDir
    private Path directory;

    @Test
    @Tag("once")
    void journalsTheAddressOfTheClientOfHaProxy() throws Exception {
        Needs.program("haproxy");
        Path config = Files.writeString(directory.resolve("millrace.yaml"), """
                inputs:
                  balanced: {listen: "tcp://127.0.0.1:0", proxyProtocol: [127.0.0.1]}
                """);
        Path data = directory.resolve("data");
        int port1 = FreePort.next();
        int port2 = FreePort.next();
        try (Service service = Service.startWith(data, "--config", config.toString())) {
            Matcher matcher = PORT.matcher(service.readyLine());
            assertThat(matcher.find()).as(service.readyLine()).isTrue();
            String target = "127.0.0.1:" + matcher.group(1);
            Path proxyConfig =
                    Files.writeString(directory.resolve("haproxy.cfg"), """
                    defaults
                      mode tcp
                      timeout connect 5s
                      timeout client 30s
                      timeout server 30s
                    listen version1
                      bind 127.0.0.1:%d
                      server millrace %s send-proxy
                    listen version2
                      bind 127.0.0.1:%d
                      server millrace %s send-proxy-v2 check
                    """.formatted(port1, target, port2, target));
            try (Forked proxy = Forked.start(List.of("haproxy", "-db", "-f", proxyConfig.toString()))) {
                send(proxy, port1, "127.0.0.3", "by version 1");
                send(proxy, port2, "127.0.0.4", "by version 2");
                await().atMost(SOON)
                        .until(() -> service.ledger().get("journaled").asLong() == 2);
            }
            service.stop();
        }
        List<String> found = new ArrayList<>();
        try (JournalCursor cursor = Journal.open(data).cursor().open()) {
            while (cursor.poll((datagram, position) -> found.add(line(datagram))) > 0) {
                // All of it.
            }
        }
        assertThat(found).containsExactlyInAnyOrder("127.0.0.3: <13>by version 1", "127.0.0.4: <13>by version 2");
    }

    private static String line(DatagramView datagram) {
        return datagram.sourceText() + ": " + datagram.payloadText();
    }

    private static void send(Forked proxy, int port, String from, String message) {
        await().atMost(SOON).ignoreExceptionsInstanceOf(IOException.class).until(() -> {
            assertThat(proxy.isAlive()).isTrue();
            try (Socket socket = new Socket()) {
                socket.bind(new InetSocketAddress(InetAddress.getByName(from), 0));
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                socket.getOutputStream().write(("<13>" + message + "\n").getBytes(US_ASCII));
            }
            return true;
        });
    }
}
