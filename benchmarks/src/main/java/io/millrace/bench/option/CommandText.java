package io.millrace.bench.option;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/** The command line of a run, for its report. */
public final class CommandText {
    private CommandText() {}

    /** The command line without folders: paths of this host do not belong in a report. */
    public static String of(CommandSpec spec) {
        return of(spec.root().commandLine().getParseResult().expandedArgs());
    }

    static String of(List<String> arguments) {
        StringBuilder text = new StringBuilder("millrace bench");
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (argument.equals("--out") || argument.equals("--work")) {
                i++;
            } else if (!argument.startsWith("--out=") && !argument.startsWith("--work=")) {
                text.append(' ').append(argument.contains(" ") ? '"' + argument + '"' : argument);
            }
        }
        return text.toString();
    }
}
