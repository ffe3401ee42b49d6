package io.millrace.bench;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code millrace bench}. */
@Command(
        name = "millrace bench",
        description = "Check and compare: figures that anyone can reproduce.",
        subcommands = VerifyCommand.class)
public final class BenchMain extends HelpOption implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private CommandSpec spec;

    private BenchMain() {}

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing");
    }

    /** Runs a command and exits with its code. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new BenchMain())
                .setParameterExceptionHandler(BenchMain::onBadUsage)
                .setExecutionExceptionHandler((e, command, parsed) -> {
                    command.getErr().println("millrace bench: " + e.getMessage());
                    return e instanceof IllegalArgumentException
                            ? CommandLine.ExitCode.USAGE
                            : CommandLine.ExitCode.SOFTWARE;
                })
                .execute(args));
    }

    private static int onBadUsage(ParameterException e, String[] args) {
        PrintWriter err = e.getCommandLine().getErr();
        err.println("millrace bench: " + e.getMessage());
        err.println("See '" + e.getCommandLine().getCommandSpec().qualifiedName() + " --help'.");
        return CommandLine.ExitCode.USAGE;
    }
}
