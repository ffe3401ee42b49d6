package io.millrace.sender.transmit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.sender.payload.PayloadPattern;
import io.millrace.sender.payload.PayloadSizes;
import io.millrace.sender.run.SendResult;
import io.millrace.sender.run.SendRun;
import io.millrace.sender.run.WaitClock;
import io.millrace.sender.schedule.Rate;
import io.millrace.sender.schedule.SendPlan;
import io.millrace.sender.schedule.SourceLayout;
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
            new Endpoints(List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 9)), 20_000, null);

    @TempDir
    private Path folder;

    private Path program(String script) throws IOException {
        Path program = Files.writeString(folder.resolve("helper"), "#!/bin/sh\n" + script + "\n");
        return Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    }

    private SendResult run(Path program) throws IOException {
        SendPlan plan = SendPlan.ofCount(Rate.MAX, 1000, new SourceLayout(20_000, 1, 1, 1, 20_000), 9);
        try (HelperTransmitter helper = HelperTransmitter.start(program, TO, 1)) {
            return new SendRun(
                            plan,
                            () -> PayloadPattern.SEQUENCE.payloads(PayloadSizes.of(125), 1, 9),
                            helper,
                            WaitClock.SYSTEM)
                    .run();
        }
    }

    @Test
    void reportReplacesTheCounts() throws IOException {
        SendResult result = run(program(
                "echo ready; cat > /dev/null; echo 'sent=990 bytes=123750 late=7 maxlate=5000000 failed=10 refused=3"
                        + " ENOBUFS=30 EAGAIN=0 other=2 text=Operation not permitted'"));
        assertThat(result.counts().sent).isEqualTo(990);
        assertThat(result.counts().bytes).isEqualTo(123_750);
        assertThat(result.counts().failed).isEqualTo(10);
        assertThat(result.counts().late).isEqualTo(7);
        assertThat(result.counts().maxLateNanos).isEqualTo(5_000_000);
        assertThat(result.counts().refused).isEqualTo(3);
        assertThat(result.counts().sendErrors).isEqualTo(32);
        assertThat(result.counts().errors)
                .containsEntry("ENOBUFS", 30L)
                .containsEntry("EPERM", 2L)
                .containsEntry("ECONNREFUSED", 3L)
                .hasSize(3);
        assertThat(result.complaint(1)).contains("10 datagrams could not be sent");
    }

    @Test
    void missingReportCountsEverythingAsFailed() throws IOException {
        SendResult result = run(program("echo ready; head -c 100 > /dev/null; exit 3"));
        assertThat(result.counts().sent).isZero();
        assertThat(result.counts().failed).isEqualTo(1000);
        assertThat(result.complaint(1)).contains("millrace-sources has ended");
    }

    @Test
    void reportsAProgramThatDoesNotStart() throws IOException {
        Path broken = program("exit 1");
        assertThatThrownBy(() -> HelperTransmitter.start(broken, TO, 1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("did not start");
    }

    @Test
    void helperIsUsedForManySourcesOnLoopbackOnly() throws IOException {
        Path program = Path.of("millrace-sources");
        InetSocketAddress far = new InetSocketAddress(InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, 1}), 514);
        assertThat(TransmitterFactory.choose(TO, SocketApi.AUTO, program).mode())
                .isEqualTo(TransmitterFactory.Mode.HELPER);
        assertThat(TransmitterFactory.choose(
                                new Endpoints(List.of(TO.target(0)), 10_000, null), SocketApi.AUTO, program)
                        .mode())
                .isEqualTo(TransmitterFactory.Mode.SOCKETS);
        Endpoints crowded = new Endpoints(List.of(TO.target(0)), 20_000, SourceNetwork.parse("127.1.0.0/20"));
        assertThatThrownBy(() -> TransmitterFactory.choose(crowded, SocketApi.AUTO, program))
                .hasMessageContaining("4,094 addresses, too few");
        assertThat(TransmitterFactory.choose(TO, SocketApi.NIO, program).note())
                .isEqualTo(
                        "20,000 sources send in groups of 10,000 sockets, which lowers the rate: --io nio was given");
        assertThat(TransmitterFactory.choose(TO, SocketApi.AUTO, null).note())
                .contains("was not built, which needs a C compiler");
        assertThat(TransmitterFactory.choose(new Endpoints(List.of(far), 20_000, null), SocketApi.AUTO, program)
                        .note())
                .contains("sends to IPv4 loopback addresses only");
        assertThat(TransmitterFactory.choose(new Endpoints(List.of(far), 20_000, null), SocketApi.AUTO, program)
                        .group(20_000))
                .isEqualTo(10_000);
    }
}
