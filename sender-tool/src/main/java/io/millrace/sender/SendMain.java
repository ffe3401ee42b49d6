package io.millrace.sender;

import java.io.PrintWriter;
import picocli.CommandLine;

/** The entry of the load generator. */
public final class SendMain {
    private SendMain() {}

    /** Runs the command and ends the JVM with its exit code. */
    public static void main(String[] args) {
        System.exit(SendCommand.commandLine().execute(args));
    }

    /** The command itself, which completions and manual pages are made of. */
    public static CommandLine commandLine() {
        return SendCommand.commandLine();
    }

    /**
     * Runs the command in this thread, for a test or a benchmark that wants no second process.
     *
     * @return the exit code: 0 when everything was sent as asked, 1 when it was not, 2 when the arguments are wrong
     */
    public static int run(PrintWriter out, PrintWriter err, String... args) {
        return SendCommand.commandLine().setOut(out).setErr(err).execute(args);
    }
}
