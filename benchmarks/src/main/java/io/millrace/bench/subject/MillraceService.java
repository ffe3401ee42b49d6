package io.millrace.bench.subject;

import io.millrace.bench.host.ChildProcess;
import io.millrace.bench.host.Programs;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The Millrace service in a process of its own, as its script starts it.
 *
 * @param process the process
 * @param ready its ready line
 */
public record MillraceService(ChildProcess process, String ready) {
    private static final Pattern PORT = Pattern.compile("ready: udp \\S*:(\\d+)[ ,]");
    private static final Duration READY_TIMEOUT = Duration.ofSeconds(30);

    /** The command that runs the service. */
    public static List<String> command(String... options) throws IOException {
        List<String> command = new ArrayList<>(Programs.java());
        command.addAll(List.of(
                "-jar", Programs.built("collector-app/target/millrace.jar").toString(), "run"));
        command.addAll(List.of(options));
        return command;
    }

    /** Starts it and waits until it is ready. */
    public static MillraceService start(String name, List<String> command) throws IOException, InterruptedException {
        ChildProcess process = ChildProcess.start(name, command);
        try {
            return new MillraceService(process, process.awaitErr(line -> line.contains("ready:"), READY_TIMEOUT));
        } catch (IOException | InterruptedException e) {
            process.close();
            throw e;
        }
    }

    /** The UDP port it listens on. */
    public int port() throws IOException {
        return Integer.parseInt(find(PORT));
    }

    /** The first group of a pattern in the ready line. */
    public String find(Pattern pattern) throws IOException {
        Matcher matcher = pattern.matcher(ready);
        if (!matcher.find()) {
            throw new IOException("unexpected ready line: " + ready);
        }
        return matcher.group(1);
    }
}
