package io.millrace.app.manual;

import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Generator of the completion for fish: one line per command and option, which is active after its command. */
final class FishCompletion {
    private final String program;
    private final StringBuilder script = new StringBuilder();

    private FishCompletion(String program) {
        this.program = program;
    }

    static String of(CommandLine root) {
        FishCompletion completion = new FishCompletion(root.getCommandName());
        completion.function(root);
        completion.command(root, "");
        return completion.script.toString();
    }

    /** A function that is true if its argument is the sequence of commands. */
    private void function(CommandLine root) {
        line("# Completion of " + program + " for fish.");
        line("function __" + program + "_is_at");
        line("    set -l path ''");
        line("    for word in (commandline -opc)[2..-1]");
        line("        switch \"$path $word\"");
        line("            case " + paths(root, ""));
        line("                set path (string trim \"$path $word\")");
        line("        end");
        line("    end");
        line("    test \"$path\" = \"$argv\"");
        line("end");
        line("complete -c " + program + " -f");
    }

    private static String paths(CommandLine command, String path) {
        return Texts.below(command).stream()
                .map(it -> {
                    String own = path + " " + it.getCommandName();
                    String further = paths(it, own.strip());
                    return quoted(own) + (further.isEmpty() ? "" : " " + further);
                })
                .collect(Collectors.joining(" "));
    }

    private void command(CommandLine command, String path) {
        String place = "complete -c " + program + " -n " + quoted("__" + program + "_is_at " + quoted(path));
        for (CommandLine below : Texts.below(command)) {
            line(place + " -a " + below.getCommandName() + " -d " + quoted(Texts.summary(below.getCommandSpec())));
        }
        for (OptionSpec option : Texts.options(command.getCommandSpec())) {
            StringBuilder names = new StringBuilder();
            for (String name : option.names()) {
                names.append(name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1));
            }
            String value = Texts.takesValue(option)
                    ? (Texts.isFile(option) && !Texts.isDirectory(option) ? " -r" : " -x") + values(option)
                    : "";
            line(place + names + value + " -d " + quoted(Texts.meaning(option)));
        }
        command.getCommandSpec().positionalParameters().stream()
                .map(FishCompletion::values)
                .filter(it -> !it.isEmpty())
                .forEach(it -> line(place + it));
        for (CommandLine below : Texts.below(command)) {
            command(below, (path + " " + below.getCommandName()).strip());
        }
    }

    private static String values(ArgSpec argument) {
        if (Texts.isDirectory(argument)) {
            return " -a '(__fish_complete_directories)'";
        }
        if (Texts.isFile(argument)) {
            return " -F";
        }
        String values = String.join(" ", Texts.values(argument));
        return values.isEmpty() ? "" : " -a " + quoted(values);
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }

    private void line(String line) {
        script.append(line).append('\n');
    }
}
