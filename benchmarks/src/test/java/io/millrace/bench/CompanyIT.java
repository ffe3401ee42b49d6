package io.millrace.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.FreePort;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A configuration that a company would have: denies of a firewall to Kafka, messages of authentication to a server over TLS, the rest to a
 * file per host, passwords nowhere, debug messages not even in the journal.
 */
@Tag("calm")
@Tag("once")
@Timeout(180)
@Tag("full")
class CompanyIT {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path TLS_MODULE = Path.of("/usr/lib/x86_64-linux-gnu/rsyslog/lmnsd_ossl.so");
    private static final String SECRET = "hunter2";
    private static final int EACH = 500;

    @TempDir
    private Path directory;

    private Path file(String name) {
        return directory.resolve(name);
    }

    /** The lines are those of docs/operate/delivery.md, but for ports and paths. */
    private Path configuration(int port, String broker, int siem) throws IOException {
        String page = Files.readString(Path.of("../docs/operate/delivery.md"));
        int section = page.indexOf("## A whole configuration");
        int begin = page.indexOf("```yaml\n", section) + "```yaml\n".length();
        String text = page.substring(begin, page.indexOf("```", begin));
        assertThat(text.lines().count()).isLessThanOrEqualTo(30);
        return Files.writeString(
                file("millrace.yaml"),
                text.replace("[::]:514", "127.0.0.1:" + port)
                        .replace("kafka1:9092", broker)
                        .replace("siem.example.com", "localhost")
                        .replace("6514", Integer.toString(siem))
                        .replace("/etc/millrace/ca.pem", file("ca.pem").toString())
                        .replace("/var/log/millrace", file("hosts").toString()));
    }

    private Forked siem(int port) throws Exception {
        Certificates certificates = new Certificates(directory);
        certificates.authority("ca");
        certificates.certificate("server", "ca", "DNS:localhost");
        return Forked.rsyslog(Files.writeString(file("siem.conf"), """
                global(workDirectory="%s" DefaultNetstreamDriver="ossl" DefaultNetstreamDriverCAFile="%s"
                       DefaultNetstreamDriverCertFile="%s" DefaultNetstreamDriverKeyFile="%s")
                module(load="imtcp" StreamDriver.Name="ossl" StreamDriver.Mode="1" StreamDriver.AuthMode="anon")
                input(type="imtcp" port="%d")
                template(name="raw" type="string" string="%%rawmsg%%\\n")
                action(type="omfile" file="%s" template="raw")
                """.formatted(
                        directory, file("ca.pem"), file("server.pem"), file("server.key"), port, file("siem.log"))));
    }

    /** Sends each kind of message so many times, in a random order. */
    private static void send(int port) throws IOException {
        List<String> messages = new ArrayList<>();
        for (int i = 0; i < EACH; i++) {
            messages.add(
                    "<189>date=2026-11-21 time=10:00:16 devname=\"fw-hq\" logid=\"%d\" type=\"traffic\" srcip=192.0.2.5"
                                    .formatted(i)
                            + " action=\"deny\" password=" + SECRET);
            messages.add(
                    "<189>date=2026-11-21 time=10:00:16 devname=\"fw-hq\" logid=\"%d\" type=\"traffic\" srcip=192.0.2.5"
                                    .formatted(i)
                            + " action=\"accept\"");
            messages.add("<38>Nov 24 10:00:00 web1 sshd[%d]: Failed login, password=".formatted(i) + SECRET);
            messages.add("<14>Nov 24 10:00:00 web2 app: number %d".formatted(i));
            messages.add("<15>Nov 24 10:00:00 web2 app: debug %d".formatted(i));
        }
        Collections.shuffle(messages, new Random(7));
        InetSocketAddress to = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        try (DatagramSocket socket = new DatagramSocket()) {
            for (String message : messages) {
                byte[] bytes = message.getBytes(UTF_8);
                socket.send(new DatagramPacket(bytes, bytes.length, to));
            }
        }
    }

    @Test
    void eachMessageIsAtItsPlaceAndNoPasswordAnywhere() throws Exception {
        Needs.program("openssl");
        Needs.program("rsyslogd");
        Needs.that(Files.exists(TLS_MODULE), "rsyslog's driver ossl is not installed");
        int port = FreePort.next();
        int siemPort = FreePort.next();
        try (KafkaBroker broker = KafkaBroker.start(directory.resolve("kafka"));
                Forked siem = siem(siemPort);
                Service service = Service.startWith(
                        file("data"),
                        "--config",
                        configuration(port, broker.address(), siemPort).toString())) {
            broker.makeTopic("firewall", 1);
            send(port);
            await().atMost(SOON).until(() -> isDelivered(service.ledger()));
            JsonNode ledger = service.ledger();
            service.stop();
            assertThat(ledger.at("/dropped/filtered").asLong()).isEqualTo(EACH);
            assertThat(ledger.at("/journaled").asLong()).isEqualTo(4L * EACH);
            ledger.get("delivered")
                    .forEach(output -> assertThat(output.get("acked").asLong()
                                    + output.get("filtered").asLong()
                                    + output.get("deadLettered").asLong())
                            .isEqualTo(4L * EACH));
            List<String> denies = new ArrayList<>();
            broker.readAll("firewall", record -> denies.add(new String(record.value(), UTF_8)));
            assertThat(denies).hasSize(EACH);
            for (String deny : denies) {
                assertThat(JSON.readTree(deny).at("/fields/action").asText()).isEqualTo("deny");
            }
            await().atMost(SOON)
                    .until(() -> Files.exists(file("siem.log"))
                            && Files.readAllLines(file("siem.log")).size() == EACH);
            assertThat(Files.readAllLines(file("siem.log"))).allMatch(it -> it.contains("sshd"));
            assertThat(Files.readAllLines(file("hosts/web2.log"))).hasSize(EACH).allMatch(it -> it.contains("number"));
            assertThat(String.join("\n", denies)
                            + Files.readString(file("siem.log"))
                            + everyFileOf(file("hosts"))
                            + everyFileOf(file("data")))
                    .contains("password=***")
                    .doesNotContain(SECRET);
            assertThat(siem.isAlive()).isTrue();
        }
    }

    private static boolean isDelivered(JsonNode ledger) {
        if (ledger.get("received").asLong() < 5L * EACH
                || ledger.get("inFlight").asLong() > 0) {
            return false;
        }
        for (JsonNode output : ledger.get("delivered")) {
            if (output.get("pending").asLong() > 0) {
                return false;
            }
        }
        return true;
    }

    /** The journal has each message as it came. */
    private static String everyFileOf(Path folder) throws IOException {
        StringBuilder all = new StringBuilder();
        try (var files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile)
                    .filter(file -> !folder.relativize(file).startsWith("journal"))
                    .toList()) {
                all.append(Files.readString(file, ISO_8859_1));
            }
        }
        return all.toString();
    }
}
