package io.millrace.internal.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Tries to open a data directory in another process. */
final class OpenAttempt {
    private OpenAttempt() {}

    /**
     * Prints the result; with the second argument {@code hold}, holds the directory until the process is killed. With {@code look}, asks
     * for the owner until then, and prints the first answer.
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        if (args.length > 1 && args[1].equals("look")) {
            System.out.println(DataDirectory.owner(Path.of(args[0])));
            while (true) {
                var unused = DataDirectory.owner(Path.of(args[0]));
            }
        }
        try (DataDirectory directory = DataDirectory.open(Path.of(args[0]))) {
            System.out.println("opened " + directory.root());
            if (args.length > 1) {
                Thread.sleep(60_000);
            }
        } catch (IOException e) {
            System.out.println(e.getMessage());
        }
    }

    /** Returns the output of {@link #main} in a new process. */
    static String inAnotherProcess(Path root) throws IOException, InterruptedException {
        Process process = start(root);
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).isZero();
        return output;
    }

    /** Starts a process that runs {@link #main}. */
    static Process start(Path root, String... more) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("--"))
                .forEach(command::add);
        command.addAll(List.of(
                "-Xshare:auto",
                "-cp",
                System.getProperty("java.class.path"),
                OpenAttempt.class.getName(),
                root.toString()));
        command.addAll(List.of(more));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }
}
