package io.millrace.bench.subject;

import io.millrace.bench.host.Programs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The C baseline.
 *
 * @param mode what it does with a datagram, as {@code millrace-baseline --help} names it
 * @param addresses the addresses it listens on
 * @param sockets the total number of sockets; they share the receive buffer that other receivers have for one
 * @param options more options of the program
 */
record BaselineSubject(
        String name, String mode, String description, List<String> addresses, int sockets, List<String> options)
        implements Subject {
    @Override
    public Optional<String> unavailable() throws IOException {
        if (Programs.baseline().isEmpty()) {
            return Optional.of("the C baseline is not built: it needs a C compiler (Debian: gcc libc6-dev)");
        }
        return mode.equals("ring") && !Programs.isRoot()
                ? Optional.of("a packet ring needs CAP_NET_RAW, and this user is not root")
                : Optional.empty();
    }

    @Override
    public String configuration(LaunchSettings launch) throws IOException {
        return String.join(" ", command(launch));
    }

    @Override
    public boolean countsOnly() {
        return !hasFile();
    }

    @Override
    public boolean capturesUnsplitBatches() {
        return mode.equals("ring");
    }

    @Override
    public boolean takesConnections() {
        return mode.equals("stream");
    }

    private boolean hasFile() {
        return mode.equals("append") || takesConnections();
    }

    private List<String> command(LaunchSettings launch) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Programs.baseline()
                .orElseThrow(() -> new IOException("the C baseline is not built"))
                .toString());
        command.add(mode);
        command.addAll(List.of("--receive-buffer", Integer.toString(launch.receiveBufferBytes() / sockets)));
        if (hasFile()) {
            command.addAll(List.of("--out", launch.lines().toString()));
        }
        command.addAll(List.of("--listen", String.join(",", addresses)));
        command.addAll(options);
        return Programs.pinned(launch.cpus(), command);
    }

    @Override
    public RunningSubject start(LaunchSettings launch) throws IOException, InterruptedException {
        return ProgramOutput.start(
                name,
                command(launch),
                countsOnly() ? new ProgramOutput.CountsOnly() : new ProgramOutput.Lines(launch.lines()));
    }
}
