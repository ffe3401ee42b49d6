package io.millrace.bench;

import io.millrace.bench.check.VerifyCommand;
import io.millrace.bench.deliver.DrainCommand;
import io.millrace.bench.deliver.LatencyCommand;
import io.millrace.bench.jmh.RankCommand;
import io.millrace.bench.powercut.PowerCutCommand;
import io.millrace.bench.reference.ReferenceCommand;
import io.millrace.bench.soak.SoakCommand;
import io.millrace.bench.socket.AcceptCommand;
import io.millrace.bench.socket.ConnectionsCommand;
import io.millrace.bench.socket.LocalCommand;
import io.millrace.bench.suite.CompareCommand;
import io.millrace.bench.suite.CostCommand;
import io.millrace.bench.suite.GrowthCommand;
import io.millrace.bench.suite.LosslessCommand;
import io.millrace.bench.suite.MillionCommand;
import io.millrace.bench.suite.PagesCommand;
import io.millrace.bench.suite.PeersCommand;
import io.millrace.bench.suite.PipelineCommand;
import io.millrace.bench.suite.ReceiverComparisonCommand;
import io.millrace.bench.suite.ReceiversCommand;
import io.millrace.bench.suite.StreamsCommand;
import java.io.PrintWriter;
import java.nio.file.FileSystemException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command {@code millrace bench}. */
@Command(
        name = "millrace bench",
        description = "Benchmarks that anyone can reproduce, and checks of their results.",
        footer = {"", "JMH benchmarks: java -jar benchmarks/target/benchmarks.jar -l"},
        subcommands = {
            ReceiverComparisonCommand.class,
            LosslessCommand.class,
            CostCommand.class,
            PeersCommand.class,
            PipelineCommand.class,
            GrowthCommand.class,
            StreamsCommand.class,
            AcceptCommand.class,
            ConnectionsCommand.class,
            LocalCommand.class,
            DrainCommand.class,
            LatencyCommand.class,
            PagesCommand.class,
            MillionCommand.class,
            RankCommand.class,
            SoakCommand.class,
            PowerCutCommand.class,
            CompareCommand.class,
            ReceiversCommand.class,
            VerifyCommand.class,
            ReferenceCommand.class
        })
public final class BenchMain implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Show this help and exit.")
    @SuppressWarnings("UnusedVariable") // Read by picocli.
    private boolean help;

    private BenchMain() {}

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing");
    }

    /** Runs a command and exits with its code. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return new CommandLine(new BenchMain())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler((e, args) -> onBadUsage(e))
                .setExecutionExceptionHandler((e, command, parsed) -> {
                    // The message of a FileSystemException is only the name of the file.
                    String what =
                            e instanceof FileSystemException ? e.getClass().getSimpleName() + ": " : "";
                    command.getErr().println("millrace bench: " + what + e.getMessage());
                    return e instanceof IllegalArgumentException
                            ? CommandLine.ExitCode.USAGE
                            : CommandLine.ExitCode.SOFTWARE;
                });
    }

    private static int onBadUsage(ParameterException e) {
        PrintWriter err = e.getCommandLine().getErr();
        err.println("millrace bench: "
                + String.valueOf(e.getMessage()).replace("Unmatched argument at index 0:", "there is no benchmark"));
        UnmatchedArgumentException.printSuggestions(e, err);
        err.println("See '" + e.getCommandLine().getCommandSpec().qualifiedName() + " --help'.");
        return CommandLine.ExitCode.USAGE;
    }
}
