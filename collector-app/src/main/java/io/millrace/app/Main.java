package io.millrace.app;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code millrace}. */
@Command(
        name = "millrace",
        description = "A UDP log collector: it receives, journals, and accounts for every datagram.",
        subcommands = {RunCommand.class, ReadCommand.class, JournalCommand.class, VersionCommand.class},
        footer = {
            "",
            "'millrace send' and 'millrace bench' are the load generator and the benchmarks.",
            "Exit codes: 0 done, 1 failed, 2 bad usage.",
        })
public final class Main extends HelpOption implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private CommandSpec spec;

    private Main() {}

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing");
    }

    /** Runs a command and exits with its code. */
    public static void main(String[] args) {
        System.exit(execute(args));
    }

    static int execute(String... args) {
        return new CommandLine(new Main())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(Main::onBadUsage)
                .setExecutionExceptionHandler(Main::onFailure)
                .execute(args);
    }

    private static int onBadUsage(ParameterException e, String[] args) {
        CommandLine command = e.getCommandLine();
        PrintWriter err = command.getErr();
        err.println("millrace: " + e.getMessage());
        err.println("See '" + command.getCommandSpec().qualifiedName() + " --help'.");
        return CommandLine.ExitCode.USAGE;
    }

    private static int onFailure(Exception e, CommandLine command, CommandLine.ParseResult parsed) {
        PrintWriter err = command.getErr();
        String message = e.getMessage() == null ? e.toString() : e.getMessage();
        err.println("millrace: " + message);
        if (System.getenv("MILLRACE_TRACE") != null) {
            e.printStackTrace(err);
        }
        return e instanceof IllegalArgumentException ? CommandLine.ExitCode.USAGE : CommandLine.ExitCode.SOFTWARE;
    }
}
