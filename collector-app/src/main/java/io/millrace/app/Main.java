package io.millrace.app;

import io.millrace.app.config.ConfigException;
import io.millrace.app.config.Problem;
import io.millrace.app.secret.RedactedStream;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code millrace}. */
@Command(
        name = "millrace",
        versionProvider = VersionCommand.class,
        description = "A UDP log collector: it receives, journals, and accounts for every datagram.",
        subcommands = {
            RunCommand.class,
            ReadCommand.class,
            JournalCommand.class,
            ParseCommand.class,
            LedgerCommand.class,
            ConfigCommand.class,
            DoctorCommand.class,
            VersionCommand.class
        },
        footer = {
            "",
            "'millrace send' and 'millrace bench' are the load generator and the benchmarks.",
            "Exit codes: 0 done, 1 failed, 2 bad usage or a wrong configuration.",
        })
public final class Main extends HelpOption implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private CommandSpec spec;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Print what 'millrace version' prints and exit.")
    @SuppressWarnings("UnusedVariable") // Picocli asks for it.
    private boolean version;

    private Main() {}

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing");
    }

    /** Runs a command and exits with its code. */
    public static void main(String[] args) {
        RedactedStream.protectStandardError();
        System.exit(execute(args));
    }

    /** The command with all below it; also what completions and manual pages are made of. */
    public static CommandLine commandLine() {
        return new CommandLine(new Main()).setCaseInsensitiveEnumValuesAllowed(true);
    }

    static int execute(String... args) {
        return commandLine()
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
        printFailure(e);
        return e instanceof IllegalArgumentException ? CommandLine.ExitCode.USAGE : CommandLine.ExitCode.SOFTWARE;
    }

    /** Says what failed in one line, and where if MILLRACE_TRACE is set. */
    static void printFailure(Exception e) {
        if (e instanceof ConfigException wrong) {
            printProblems(wrong.problems());
        } else {
            System.err.println("millrace: " + describe(e));
        }
        if (System.getenv("MILLRACE_TRACE") != null) {
            e.printStackTrace();
        }
    }

    /** A place in a file begins its line, so that editors find it. */
    private static void printProblems(List<Problem> problems) {
        problems.forEach(it -> System.err.println(it.isOfFlag() ? "millrace: " + it : it.toString()));
        if (problems.size() > 1) {
            System.err.println("millrace: " + problems.size() + " problems in the configuration");
        }
    }

    /** The messages of the JDK's file errors are the name of the file alone. */
    private static String describe(Exception e) {
        if (e instanceof NoSuchFileException missing) {
            return missing.getFile() + " is not there";
        }
        if (e instanceof AccessDeniedException denied) {
            return "no permission for " + denied.getFile();
        }
        return e.getMessage() == null ? e.toString() : e.getMessage();
    }
}
