package io.millrace.bench.subject;

import io.millrace.bench.host.ChildProcess;
import io.millrace.bench.host.Programs;
import io.millrace.bench.host.SocketState;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Start of the peers, which are other receivers if installed, each tuned as its documentation advises. */
final class PeerProgram {
    static final Duration START = Duration.ofSeconds(20);

    private PeerProgram() {}

    /** A port that was free a moment ago. */
    static int freePort() throws IOException {
        try (DatagramChannel channel = DatagramChannel.open()) {
            channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            return ((InetSocketAddress) channel.getLocalAddress()).getPort();
        }
    }

    static Optional<String> missing(String program) {
        return Programs.find(program).isPresent() ? Optional.empty() : Optional.of(program + " is not installed");
    }

    static ChildProcess start(String name, List<String> command, int port) throws IOException, InterruptedException {
        ChildProcess process = ChildProcess.start(name, command);
        long end = System.nanoTime() + START.toNanos();
        while (SocketState.of(port).sockets() == 0) {
            if (!process.isAlive() || System.nanoTime() > end) {
                process.close();
                throw new IOException(name + " does not listen on UDP port " + port + ": " + process.lastLines());
            }
            Thread.sleep(20);
        }
        return process;
    }

    static String program(String name) {
        return Programs.find(name).map(Path::toString).orElse(name);
    }
}
