package io.millrace.bench;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A network namespace of its own for a test, in which nobody else sends and every counter is ours; it goes with its
 * process. Where none can be made (no root, no user namespaces, no iproute2), commands run on the host.
 */
final class NetworkNamespace implements AutoCloseable {
    private final List<String> prefix;
    private final Runnable end;

    private NetworkNamespace(List<String> prefix, Runnable end) {
        this.prefix = prefix;
        this.end = end;
    }

    static NetworkNamespace create() throws IOException, InterruptedException {
        if (Forked.isInstalled("unshare") && Forked.isInstalled("nsenter") && Forked.isInstalled("ip")) {
            boolean root = "root".equals(System.getProperty("user.name"));
            Process holder =
                    new ProcessBuilder("unshare", root ? "-n" : "-rn", "sh", "-c", "echo up; exec sleep 600").start();
            if (holder.inputReader().readLine() != null) {
                String pid = Long.toString(holder.pid());
                List<String> prefix = root
                        ? List.of("nsenter", "-t", pid, "-n", "--")
                        : List.of("nsenter", "-t", pid, "-U", "-n", "--preserve-credentials", "--");
                if (run(prefix, "ip", "link", "set", "lo", "up")) {
                    return new NetworkNamespace(prefix, () -> holder.destroyForcibly());
                }
            }
            holder.destroyForcibly();
        }
        System.err.println("no network namespace can be made here: this test runs on the host's loopback");
        return new NetworkNamespace(List.of(), () -> {});
    }

    private static boolean run(List<String> prefix, String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        java.util.stream.Stream.concat(prefix.stream(), java.util.Arrays.stream(command))
                                .toList())
                .start();
        return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
    }

    /** What to put before a command so that it runs inside. It replaces itself by the command: the process is the same. */
    List<String> prefix() {
        return prefix;
    }

    @Override
    public void close() {
        end.run();
    }
}
