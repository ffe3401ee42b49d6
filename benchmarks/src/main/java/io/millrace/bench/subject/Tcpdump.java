package io.millrace.bench.subject;

import io.millrace.bench.check.RunCheck;
import io.millrace.bench.host.ChildProcess;
import io.millrace.bench.host.Programs;
import io.millrace.sender.pcap.PcapReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** tcpdump with a capture file. It reads no socket, so one is bound to the port and datagrams are not refused. */
record Tcpdump() implements Subject {
    private static final int SNAP_BYTES = 65_535;
    private static final String CAPTURE = "capture.pcap";

    @Override
    public String name() {
        return "tcpdump";
    }

    @Override
    public String description() {
        return "tcpdump: packets of the loopback device to a capture file";
    }

    @Override
    public Optional<String> unavailable() {
        return PeerProgram.missing("tcpdump")
                .or(() -> Programs.isRoot()
                        ? Optional.empty()
                        : Optional.of("capturing needs CAP_NET_RAW, and this user is not root"));
    }

    @Override
    public boolean capturesUnsplitBatches() {
        return true;
    }

    @Override
    public String configuration(LaunchSettings launch) {
        return Programs.version("tcpdump", "--version") + "\n" + String.join(" ", command(launch, 514));
    }

    private static List<String> command(LaunchSettings launch, int port) {
        List<String> command = new ArrayList<>(List.of(
                PeerProgram.program("tcpdump"),
                "-i",
                "lo",
                "-Q",
                "in",
                "-n",
                "-s",
                Integer.toString(SNAP_BYTES),
                "-B",
                Integer.toString(Math.max(1, launch.receiveBufferBytes() / 1024)),
                "-Z",
                "root",
                "-w",
                launch.directory().resolve(CAPTURE).toString(),
                "udp",
                "dst",
                "port",
                Integer.toString(port)));
        return Programs.pinned(launch.cpus(), command);
    }

    @Override
    public RunningSubject start(LaunchSettings launch) throws IOException, InterruptedException {
        DatagramChannel target = DatagramChannel.open(StandardProtocolFamily.INET);
        target.setOption(StandardSocketOptions.SO_RCVBUF, 1);
        target.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        int port = ((InetSocketAddress) target.getLocalAddress()).getPort();
        ChildProcess process = ChildProcess.start(name(), command(launch, port));
        try {
            process.awaitErr(line -> line.contains("listening on"), PeerProgram.START);
        } catch (IOException | InterruptedException e) {
            process.close();
            target.close();
            throw e;
        }
        Path capture = launch.directory().resolve(CAPTURE);
        return new RunningSubject(process, port, check -> read(capture, check), target);
    }

    private static void read(Path capture, RunCheck check) throws IOException {
        byte[] payload = new byte[SNAP_BYTES];
        try (PcapReader reader = PcapReader.open(capture)) {
            while (reader.next()) {
                reader.copyPayload(payload, 0);
                check.add(payload, 0, reader.payloadLength());
            }
        }
    }
}
