package io.millrace.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the sender makes of a helper program, with programs that behave in each way. */
class HelperTransmitterTest {
    private static final Endpoints TO =
            Endpoints.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 9), 20_000);

    @TempDir
    private Path folder;

    private Path program(String script) throws IOException {
        Path program = Files.writeString(folder.resolve("helper"), "#!/bin/sh\n" + script + "\n");
        return Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    }

    private SendResult run(Path program) throws IOException {
        SendPlan plan = SendPlan.ofCount(Rate.MAX, 1000, Layout.of(20_000), 9);
        try (HelperTransmitter helper = HelperTransmitter.start(program, TO)) {
            return new SendRun(plan, () -> Pattern.SEQUENCE.payloads(Sizes.of(125), 1, 9), helper, WaitClock.SYSTEM)
                    .run();
        }
    }

    @Test
    void theReportIsWhatCounts() throws IOException {
        SendResult result = run(program(
                "echo ready; cat > /dev/null; echo 'sent=990 bytes=123750 late=7 maxlate=5000000 failed=10 refused=3"
                        + " ENOBUFS=30 EAGAIN=0 other=2 text=Operation not permitted'"));
        assertThat(result.sent()).isEqualTo(990);
        assertThat(result.bytes()).isEqualTo(123_750);
        assertThat(result.failed()).isEqualTo(10);
        assertThat(result.late()).isEqualTo(7);
        assertThat(result.maxLateNanos()).isEqualTo(5_000_000);
        assertThat(result.refused()).isEqualTo(3);
        assertThat(result.sendErrors()).isEqualTo(32);
        assertThat(result.errors())
                .containsEntry("ENOBUFS", 30L)
                .containsEntry("EPERM", 2L)
                .containsEntry("ECONNREFUSED", 3L)
                .hasSize(3);
        assertThat(result.complaint(1)).contains("10 datagrams could not be sent");
    }

    @Test
    void withoutAReportEverythingHasFailed() throws IOException {
        SendResult result = run(program("echo ready; head -c 100 > /dev/null; exit 3"));
        assertThat(result.sent()).isZero();
        assertThat(result.failed()).isEqualTo(1000);
        assertThat(result.complaint(1)).contains("millrace-sources has ended");
    }

    @Test
    void aProgramThatDoesNotStartIsSaid() throws IOException {
        Path broken = program("exit 1");
        assertThatThrownBy(() -> HelperTransmitter.start(broken, TO))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("did not start");
    }

    @Test
    void itIsTakenForManySourcesOnTheLoopbackOnly() throws IOException {
        Path program = Path.of("millrace-sources");
        InetSocketAddress far = new InetSocketAddress(InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, 1}), 514);
        assertThat(Means.choose(TO, null, program).by()).isEqualTo(Means.By.HELPER);
        assertThat(Means.choose(Endpoints.of(TO.target(0), 10_000), null, program)
                        .by())
                .isEqualTo(Means.By.SOCKETS);
        Endpoints crowded = new Endpoints(List.of(TO.target(0)), 20_000, SourceNet.parse("127.1.0.0/20"));
        assertThatThrownBy(() -> Means.choose(crowded, null, program)).hasMessageContaining("4,094 addresses, too few");
        assertThat(Means.choose(TO, Io.NIO, program).note())
                .isEqualTo("20,000 sources take turns, 10,000 sockets at a time, at the rate that gives: --io nio was"
                        + " asked for");
        assertThat(Means.choose(TO, null, null).note())
                .contains("is not there; it is built where there is a C compiler");
        assertThat(Means.choose(Endpoints.of(far, 20_000), null, program).note())
                .contains("sends to IPv4 loopback addresses only");
        assertThat(Means.choose(Endpoints.of(far, 20_000), null, program).group(20_000))
                .isEqualTo(10_000);
    }
}
