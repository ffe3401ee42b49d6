package io.millrace.sender;

import io.millrace.sender.command.SendCommand;
import picocli.CommandLine;

/** The main class of the load generator. */
public final class SendMain {
    private SendMain() {}

    /** Runs the command and ends the JVM with its exit code. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    /** The command, from which completions and manual pages are generated. */
    public static CommandLine commandLine() {
        return SendCommand.commandLine();
    }
}
