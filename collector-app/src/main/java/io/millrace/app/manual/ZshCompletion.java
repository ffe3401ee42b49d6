package io.millrace.app.manual;

import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Generator of the completion for zsh: a function for each command, which delegates to those of its subcommands. */
final class ZshCompletion {
    private final StringBuilder script = new StringBuilder();

    private ZshCompletion() {}

    static String of(CommandLine root) {
        ZshCompletion completion = new ZshCompletion();
        completion.line("#compdef " + root.getCommandName());
        completion.command(root);
        completion.line(function(root) + " \"$@\"");
        return completion.script.toString();
    }

    private static String function(CommandLine command) {
        return "_" + command.getCommandSpec().qualifiedName("_").replace('-', '_');
    }

    private void command(CommandLine command) {
        List<CommandLine> below = Texts.below(command);
        below.forEach(this::command);
        line(function(command) + "() {");
        line("  local curcontext=$curcontext state line");
        line("  typeset -A opt_args");
        line("  _arguments -s -C \\");
        for (OptionSpec option : Texts.options(command.getCommandSpec())) {
            option(option);
        }
        if (below.isEmpty()) {
            for (PositionalParamSpec argument : command.getCommandSpec().positionalParameters()) {
                line("    " + quoted((argument.arity().max() > 1 ? "*" : "") + ":" + value(argument)) + " \\");
            }
            line("    && return");
        } else {
            String names = below.stream()
                    .map(it -> it.getCommandName() + "\\:" + '"' + escaped(Texts.summary(it.getCommandSpec())) + '"')
                    .collect(Collectors.joining(" "));
            line("    " + quoted("1:command:((" + names + "))") + " \\");
            line("    '*::argument:->rest' && return");
            line("  [[ $state == rest ]] || return");
            line("  case $line[1] in");
            below.forEach(it -> line("    " + it.getCommandName() + ") " + function(it) + " ;;"));
            line("  esac");
        }
        line("}");
    }

    private void option(OptionSpec option) {
        String others = option.names().length > 1 ? "(" + String.join(" ", option.names()) + ")" : "";
        String several = option.isMultiValue() ? "*" : others;
        for (String name : option.names()) {
            String equals = Texts.takesValue(option) && name.startsWith("--") ? "=" : "";
            String value = Texts.takesValue(option) ? ":" + value(option) : "";
            line("    " + quoted(several + name + equals + "[" + escaped(Texts.meaning(option)) + "]" + value) + " \\");
        }
    }

    private static String value(ArgSpec argument) {
        String label = escaped(argument.paramLabel()) + ":";
        if (Texts.isDirectory(argument)) {
            return label + "_files -/";
        }
        if (Texts.isFile(argument)) {
            return label + "_files";
        }
        List<String> values = Texts.values(argument);
        return values.isEmpty() ? label : label + "(" + String.join(" ", values) + ")";
    }

    /** Escapes text within brackets and between colons. */
    private static String escaped(String text) {
        return text.replace("\\", "\\\\")
                .replace("[", "\\[")
                .replace("]", "\\]")
                .replace(":", "\\:")
                .replace("\"", "\\\"");
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }

    private void line(String line) {
        script.append(line).append('\n');
    }
}
