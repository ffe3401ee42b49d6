package io.millrace.bench.subject;

import io.millrace.bench.check.LineFile;
import io.millrace.bench.check.RunCheck;
import io.millrace.bench.host.ChildProcess;
import io.millrace.bench.host.Programs;
import io.millrace.bench.host.SocketState;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.DatagramChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Start of the peers, which are other receivers if installed, each tuned as its documentation advises. */
final class PeerProgram {
    static final Duration START = Duration.ofSeconds(20);

    private PeerProgram() {}

    /** What a running process says that it has lost. */
    interface Lost {
        OptionalLong now() throws IOException, InterruptedException;
    }

    /** A file with a message per line. */
    record Lines(Path file, Lost of) implements RunningSubject.Output {
        Lines(Path file) {
            this(file, OptionalLong::empty);
        }

        @Override
        public void read(RunCheck check) throws IOException {
            messages(check::add);
        }

        @Override
        public void messages(LineFile.Handler handler) throws IOException {
            LineFile.read(file, handler);
        }

        @Override
        public OptionalLong lost() throws IOException, InterruptedException {
            return of.now();
        }

        @Override
        public long readable() throws IOException {
            return Files.exists(file) ? Files.size(file) : 0;
        }
    }

    /** A port that was free a moment ago. */
    static int freePort(boolean tcp) throws IOException {
        if (tcp) {
            try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            }
        }
        try (DatagramChannel channel = DatagramChannel.open()) {
            channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            return ((InetSocketAddress) channel.getLocalAddress()).getPort();
        }
    }

    static Optional<String> missing(String program) {
        return Programs.find(program).isPresent() ? Optional.empty() : Optional.of(program + " is not installed");
    }

    static ChildProcess start(String name, List<String> command, int port, boolean tcp)
            throws IOException, InterruptedException {
        ChildProcess process = ChildProcess.start(name, command);
        long end = System.nanoTime() + START.toNanos();
        while (!listens(port, tcp)) {
            if (!process.isAlive() || System.nanoTime() > end) {
                process.close();
                throw new IOException(name + " does not listen on port " + port + ": " + process.lastLines());
            }
            Thread.sleep(20);
        }
        return process;
    }

    private static boolean listens(int port, boolean tcp) throws IOException {
        if (!tcp) {
            return SocketState.of(port).sockets() > 0;
        }
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (ConnectException e) {
            return false;
        }
    }

    static String program(String name) {
        return Programs.find(name).map(Path::toString).orElse(name);
    }
}
