package io.millrace.sender.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.sender.SendMain;
import io.millrace.sender.payload.SequencePayload;
import io.millrace.sender.transmit.HelperTransmitter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** More sources than sockets, by the helper program where it was built. */
@Tag("once")
@Tag("full")
class ManySourcesIT {
    private static final int SOURCES = 20_000;

    @Test
    void eachSourceHasItsOwnAddress() throws Exception {
        if (HelperTransmitter.program() == null) {
            System.err.println("ManySourcesIT: skipped, millrace-sources was not built: there is no C compiler");
        }
        assumeTrue(HelperTransmitter.program() != null, "millrace-sources was not built");
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        try (DatagramSocket socket = new DatagramSocket(null)) {
            socket.setReceiveBufferSize(4 << 20);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            socket.setSoTimeout(10_000);
            Set<InetAddress> addresses = new HashSet<>();
            BitSet sources = new BitSet();
            CompletableFuture<Void> ended = new CompletableFuture<>();
            CompletableFuture<Integer> received =
                    CompletableFuture.supplyAsync(() -> receive(socket, addresses, sources, ended));

            String to = "127.0.0.1:" + socket.getLocalPort();
            int code = SendMain.commandLine()
                    .setOut(new PrintWriter(out))
                    .setErr(new PrintWriter(err))
                    .execute(("--to " + to + " --sources 20000 --rate 5k --count 20k --run 77 --json --tolerate 100")
                            .split(" ", -1));
            assertThat(code).as(err.toString()).isZero();
            ended.complete(null);

            JsonNode json = new ObjectMapper().readTree(out.toString());
            assertThat(json.get("sourcesBy").textValue()).isEqualTo("helper");
            assertThat(json.get("sent").intValue()).isEqualTo(SOURCES);
            assertThat(json.get("bytes").intValue()).isEqualTo(SOURCES * 125);
            assertThat(received.get() + drops(socket.getLocalPort())).isEqualTo(SOURCES);
            assertThat(addresses).hasSize(received.get());
            assertThat(sources.cardinality()).isEqualTo(received.get());
        }
    }

    private static int receive(
            DatagramSocket socket, Set<InetAddress> addresses, BitSet sources, CompletableFuture<Void> ended) {
        SequencePayload payload = new SequencePayload();
        DatagramPacket packet = new DatagramPacket(new byte[200], 200);
        int received = 0;
        try {
            while (received < SOURCES) {
                if (ended.isDone()) {
                    // All that was sent is in the buffer by now.
                    socket.setSoTimeout(500);
                }
                packet.setLength(200);
                socket.receive(packet);
                assertThat(payload.find(packet.getData(), 0, packet.getLength(), 0x77))
                        .isTrue();
                assertThat(payload.sequence()).isZero();
                sources.set(payload.source());
                addresses.add(packet.getAddress());
                received++;
            }
        } catch (SocketTimeoutException e) {
            // What is missing was dropped; the kernel says how much.
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return received;
    }

    /** What the kernel dropped for want of room in the socket's buffer. */
    private static int drops(int port) throws IOException {
        String local = ":" + String.format("%04X", port);
        for (String file : List.of("/proc/net/udp", "/proc/net/udp6")) {
            for (String line : Files.readAllLines(Path.of(file))) {
                String[] fields = line.trim().split("\\s+", -1);
                if (fields[1].endsWith(local)) {
                    return Integer.parseInt(fields[fields.length - 1]);
                }
            }
        }
        throw new IllegalStateException("the kernel knows no socket on port " + port);
    }
}
