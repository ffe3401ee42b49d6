package io.millrace.bench;

import io.millrace.bench.check.VerifyCommand;
import io.millrace.bench.command.BenchHelpOption;
import io.millrace.bench.reference.ReferenceCommand;
import io.millrace.bench.soak.SoakCommand;
import io.millrace.bench.suite.CompareCommand;
import io.millrace.bench.suite.CostCommand;
import io.millrace.bench.suite.LosslessCommand;
import io.millrace.bench.suite.MillionCommand;
import io.millrace.bench.suite.ReceiverComparisonCommand;
import io.millrace.bench.suite.ReceiversCommand;
import java.io.PrintWriter;
import java.nio.file.FileSystemException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command {@code millrace bench}. */
@Command(
        name = "millrace bench",
        description = "Check and compare: figures that anyone can reproduce.",
        footer = {"", "The JMH suites are in a jar of their own kind: java -jar benchmarks/target/benchmarks.jar -l"},
        subcommands = {
            ReceiverComparisonCommand.class,
            LosslessCommand.class,
            CostCommand.class,
            MillionCommand.class,
            SoakCommand.class,
            CompareCommand.class,
            ReceiversCommand.class,
            VerifyCommand.class,
            ReferenceCommand.class
        })
public final class BenchMain extends BenchHelpOption implements Runnable {
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
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(BenchMain::onBadUsage)
                .setExecutionExceptionHandler((e, command, parsed) -> {
                    // The message of a file that cannot be used is its name alone.
                    String what =
                            e instanceof FileSystemException ? e.getClass().getSimpleName() + ": " : "";
                    command.getErr().println("millrace bench: " + what + e.getMessage());
                    return e instanceof IllegalArgumentException
                            ? CommandLine.ExitCode.USAGE
                            : CommandLine.ExitCode.SOFTWARE;
                })
                .execute(args));
    }

    private static int onBadUsage(ParameterException e, String[] args) {
        PrintWriter err = e.getCommandLine().getErr();
        err.println("millrace bench: " + e.getMessage());
        UnmatchedArgumentException.printSuggestions(e, err);
        err.println("See '" + e.getCommandLine().getCommandSpec().qualifiedName() + " --help'.");
        return CommandLine.ExitCode.USAGE;
    }
}
