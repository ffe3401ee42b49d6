package io.millrace.app.manual;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Texts of picocli's model as plain lines. */
final class Texts {
    /** A literal word in a label; placeholders are in capitals. */
    private static final Pattern WORD = Pattern.compile("\\b[a-z][a-z0-9-]*\\b");

    private Texts() {}

    /** The purpose of a command: its first line. */
    static String summary(CommandSpec command) {
        return lines(command.usageMessage().description()).findFirst().orElse("");
    }

    /** Lines as they are printed: without markup, and with line feeds. */
    static Stream<String> lines(String... texts) {
        return Arrays.stream(texts)
                .flatMap(it -> Ansi.OFF.string(String.format(it)).lines());
    }

    /** The description of an option or argument in one line. */
    static String meaning(ArgSpec argument) {
        return lines(argument.description()).collect(Collectors.joining(" ")).strip();
    }

    /** The options that help shows, sorted by name. */
    static List<OptionSpec> options(CommandSpec command) {
        return command.options().stream()
                .filter(it -> !it.hidden())
                .sorted(Comparator.comparing(OptionSpec::longestName))
                .toList();
    }

    /** The subcommands that help shows. */
    static List<CommandLine> below(CommandLine command) {
        return command.getSubcommands().values().stream()
                .filter(it -> !it.getCommandSpec().usageMessage().hidden())
                .toList();
    }

    static boolean takesValue(OptionSpec option) {
        return option.arity().max() > 0;
    }

    /** The values of an option if they are known to picocli, or named by the label as in {@code on|off}. */
    static List<String> values(ArgSpec argument) {
        Iterable<String> candidates = argument.completionCandidates();
        if (candidates == null) {
            String label = argument.paramLabel();
            return label.contains("|")
                    ? WORD.matcher(label).results().map(MatchResult::group).toList()
                    : List.of();
        }
        List<String> values = new ArrayList<>();
        candidates.forEach(values::add);
        return values;
    }

    static boolean isDirectory(ArgSpec argument) {
        return argument.paramLabel().equals("DIR");
    }

    static boolean isFile(ArgSpec argument) {
        return argument.typeInfo().getType() == Path.class
                || argument.auxiliaryTypes()[0] == Path.class
                || argument.paramLabel().equals("FILE");
    }
}
