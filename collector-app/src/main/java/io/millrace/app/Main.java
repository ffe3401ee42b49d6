package io.millrace.app;

import io.millrace.app.command.AlertsCommand;
import io.millrace.app.command.ConfigCommand;
import io.millrace.app.command.DataOption;
import io.millrace.app.command.DoctorCommand;
import io.millrace.app.command.HelpOption;
import io.millrace.app.command.LedgerCommand;
import io.millrace.app.command.ParseCommand;
import io.millrace.app.command.ReadCommand;
import io.millrace.app.command.ReloadCommand;
import io.millrace.app.command.RunCommand;
import io.millrace.app.command.StatusCommand;
import io.millrace.app.command.TailCommand;
import io.millrace.app.command.VersionCommand;
import io.millrace.app.command.journal.DeadLettersCommand;
import io.millrace.app.command.journal.JournalCommand;
import io.millrace.app.report.FailureMessage;
import io.millrace.internal.text.NearestName;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command {@code millrace}. */
@Command(
        name = "millrace",
        versionProvider = VersionCommand.class,
        description =
                "Collects syslog from thousands of devices, keeps it while destinations are down, and shows where messages get lost.",
        footer = {
            "",
            "'millrace send' and 'millrace bench' are the load generator and the benchmarks.",
            "Documentation: docs/README.md of the sources and of the package; a running service has it at /docs/.",
            "Exit codes: 0 done, 1 failed, 2 bad usage or a wrong configuration, 3 out of memory or a thread has ended.",
        })
public final class Main extends HelpOption implements Runnable {
    /** The commands, in the order of the help. */
    private static final List<Class<?>> COMMANDS = List.of(
            RunCommand.class,
            StatusCommand.class,
            ReloadCommand.class,
            ReadCommand.class,
            TailCommand.class,
            JournalCommand.class,
            DeadLettersCommand.class,
            ParseCommand.class,
            LedgerCommand.class,
            ConfigCommand.class,
            AlertsCommand.class,
            DoctorCommand.class,
            VersionCommand.class,
            CommandLine.HelpCommand.class);

    /** What other programs call a command. */
    private static final Map<String, String> MEANT = Map.of(
            "validate", "config check",
            "check", "config check",
            "test", "config check",
            "start", "run",
            "logs", "tail");

    /** What picocli says of {@code help WORD}. */
    private static final Pattern HELP_OF_UNKNOWN = Pattern.compile("Unknown subcommand '(.*)'.*");

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
        return commandLine(COMMANDS);
    }

    private static CommandLine commandLine(List<Class<?>> commands) {
        CommandLine main = new CommandLine(new Main());
        commands.forEach(each -> main.addSubcommand(new CommandLine(each)));
        return main.setCaseInsensitiveEnumValuesAllowed(true);
    }

    /** The one command that the first argument names, else all: to read what all of them take is half of the time of a short command. */
    private static List<Class<?>> asked(String[] args) {
        List<Class<?>> asked = COMMANDS.stream()
                .filter(each -> args.length > 0
                        && each != CommandLine.HelpCommand.class
                        && each.getAnnotation(Command.class).name().equals(args[0]))
                .toList();
        return asked.isEmpty() ? COMMANDS : asked;
    }

    public static int execute(String... args) {
        return commandLine(asked(args))
                .setExecutionStrategy(Main::runKnown)
                .setParameterExceptionHandler(Main::onBadUsage)
                .setExecutionExceptionHandler(Main::onFailure)
                .execute(args);
    }

    /** For {@code --help} picocli accepts whatever else is there, so that of a word that is no command. */
    private static int runKnown(CommandLine.ParseResult parsed) {
        CommandLine.ParseResult last = parsed;
        while (last.hasSubcommand()) {
            last = last.subcommand();
        }
        CommandLine command = last.commandSpec().commandLine();
        if (!last.unmatched().isEmpty() && !command.getSubcommands().isEmpty()) {
            throw new UnmatchedArgumentException(command, last.unmatched());
        }
        return new CommandLine.RunLast().execute(parsed);
    }

    private static int onBadUsage(ParameterException e, String[] args) {
        CommandLine command = e.getCommandLine();
        PrintWriter err = command.getErr();
        String unknown = unknownCommand(e);
        // Picocli lists the value of an unknown option as another one.
        String said = e instanceof UnmatchedArgumentException unmatched && unmatched.isUnknownOption()
                ? "Unknown option: '" + unmatched.getUnmatched().get(0) + "'"
                : String.valueOf(e.getMessage()).replaceFirst("is not an? (int|long)$", "is not a whole number");
        err.println("millrace: " + (unknown == null ? said + hint(e) : unknown));
        err.println("See '" + command.getCommandSpec().qualifiedName() + " --help'.");
        return CommandLine.ExitCode.USAGE;
    }

    /** What to say of a word that is no command; null if it is something else. */
    private static @Nullable String unknownCommand(ParameterException e) {
        Set<String> commands = e.getCommandLine().getSubcommands().keySet();
        Matcher askedHelp = HELP_OF_UNKNOWN.matcher(String.valueOf(e.getMessage()));
        String word = askedHelp.matches()
                ? askedHelp.group(1)
                : e instanceof UnmatchedArgumentException unmatched && !unmatched.isUnknownOption()
                        ? unmatched.getUnmatched().get(0)
                        : null;
        if (word == null || commands.isEmpty()) {
            return null;
        }
        String meant = MEANT.get(word);
        if (meant != null && e.getCommandLine().getCommand() instanceof ConfigCommand) {
            meant = "check";
        }
        return "there is no command '" + word + "'"
                + (meant == null ? NearestName.hintOrAll(word, commands) : "; did you mean " + meant + "?");
    }

    private static int onFailure(Exception e, CommandLine command, CommandLine.ParseResult parsed) {
        FailureMessage.print(e);
        return e instanceof IllegalArgumentException ? CommandLine.ExitCode.USAGE : CommandLine.ExitCode.SOFTWARE;
    }

    /** Names that are similar to an unknown option or command. */
    private static String hint(ParameterException e) {
        if (!(e instanceof UnmatchedArgumentException unmatched)) {
            return "";
        }
        Object command = e.getCommandLine().getCommand();
        String meant = command instanceof RunCommand
                ? RunCommand.meant(unmatched.getUnmatched())
                : command instanceof DataOption ? DataOption.meant(unmatched.getUnmatched()) : null;
        if (meant == null && unmatched.getUnmatched().get(0).equals("--tail") && command instanceof ReadCommand) {
            meant = "--last N";
        }
        if (meant == null && String.join("=", unmatched.getUnmatched()).startsWith("--format=json")) {
            boolean has = e.getCommandLine().getCommandSpec().optionsMap().containsKey("--json");
            meant = has ? "--json" : null;
        }
        String near = meant != null ? meant : nearestOption(unmatched);
        List<String> names = near != null ? List.of(near) : unmatched.getSuggestions();
        return names.isEmpty() ? "" : "; did you mean " + String.join(" or ", names) + "?";
    }

    /** Picocli's own suggestions have the nearest name at any place. Of one letter, any other is near. */
    private static @Nullable String nearestOption(UnmatchedArgumentException unmatched) {
        String word = unmatched.getUnmatched().get(0).replaceFirst("=.*", "");
        Set<String> names =
                unmatched.getCommandLine().getCommandSpec().optionsMap().keySet();
        return word.startsWith("--")
                ? NearestName.of(
                        word,
                        names.stream().filter(name -> name.startsWith("--")).toList())
                : null;
    }
}
