package io.millrace.app.manual;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Generator of manual pages, in roff with a few macros of {@code man(7)}. Picocli's AsciiDoc would need a converter in Ruby. */
final class ManPage {
    private static final int NEVER_WRAP = 10_000;

    private final String version;
    private final LocalDate date;

    ManPage(String version, Instant time) {
        this.version = version;
        this.date = LocalDate.ofInstant(time, ZoneOffset.UTC);
    }

    /** The page's name, such as {@code millrace-journal-stat}. */
    static String name(CommandLine command) {
        return command.getCommandSpec().qualifiedName("-");
    }

    String of(CommandLine command) {
        CommandSpec spec = command.getCommandSpec();
        StringBuilder page = new StringBuilder();
        line(
                page,
                ".TH " + quoted(name(command).toUpperCase(Locale.ROOT)) + " 1 " + date + " "
                        + quoted("Millrace " + version) + " " + quoted("Millrace"));
        line(page, ".SH NAME");
        line(page, text(name(command)) + " \\- " + text(Texts.summary(spec)));
        line(page, ".SH SYNOPSIS");
        line(page, text(synopsis(command)));
        line(page, ".SH DESCRIPTION");
        prose(page, Texts.lines(spec.usageMessage().description()).toList());
        arguments(page, spec);
        commands(page, command);
        notes(page, spec);
        seeAlso(page, command);
        return page.toString();
    }

    private static String synopsis(CommandLine command) {
        command.setUsageHelpAutoWidth(false);
        command.setUsageHelpWidth(NEVER_WRAP);
        String synopsis = new Help(command.getCommandSpec(), Help.defaultColorScheme(Ansi.OFF)).synopsis(0);
        return synopsis.replaceAll("\\s+", " ").strip();
    }

    private static void arguments(StringBuilder page, CommandSpec spec) {
        List<PositionalParamSpec> positional =
                spec.positionalParameters().stream().filter(it -> !it.hidden()).toList();
        List<OptionSpec> options = Texts.options(spec);
        if (!positional.isEmpty()) {
            line(page, ".SH ARGUMENTS");
        }
        for (PositionalParamSpec argument : positional) {
            item(page, "\\fI" + text(argument.paramLabel()) + "\\fR", Texts.meaning(argument));
        }
        if (!options.isEmpty()) {
            line(page, ".SH OPTIONS");
        }
        for (OptionSpec option : options) {
            String names = Stream.of(option.names())
                    .map(it -> "\\fB" + text(it) + "\\fR")
                    .collect(Collectors.joining(", "));
            String value = Texts.takesValue(option) ? " \\fI" + text(option.paramLabel()) + "\\fR" : "";
            item(page, names + value, Texts.meaning(option));
        }
    }

    private static void commands(StringBuilder page, CommandLine command) {
        List<CommandLine> below = Texts.below(command);
        if (!below.isEmpty()) {
            line(page, ".SH COMMANDS");
        }
        for (CommandLine each : below) {
            item(page, "\\fB" + text(name(each)) + "\\fR(1)", Texts.summary(each.getCommandSpec()));
        }
    }

    /** The text after the options: examples, and sentences. */
    private static void notes(StringBuilder page, CommandSpec spec) {
        List<String> lines = Stream.concat(
                        Texts.lines(spec.usageMessage().footerHeading()),
                        Texts.lines(spec.usageMessage().footer()))
                .dropWhile(String::isBlank)
                .toList();
        if (!lines.isEmpty() && !isExamples(lines.get(0))) {
            line(page, ".SH NOTES");
        }
        prose(page, lines);
    }

    private static boolean isExamples(String line) {
        return line.strip().equals("Examples:");
    }

    private static void seeAlso(StringBuilder page, CommandLine command) {
        CommandLine above = command.getParent();
        if (above != null) {
            line(page, ".SH SEE ALSO");
            line(page, "\\fB" + text(name(above)) + "\\fR(1)");
        }
    }

    /** Paragraphs below a heading; indented lines, such as examples, are kept. */
    private static void prose(StringBuilder page, List<String> lines) {
        boolean verbatim = false;
        boolean begun = true;
        for (String line : lines) {
            if (line.startsWith("  ") != verbatim) {
                verbatim = !verbatim;
                line(page, (verbatim && !begun ? ".PP\n" : "") + (verbatim ? ".nf" : ".fi"));
                begun = false;
            }
            if (isExamples(line)) {
                line(page, ".SH EXAMPLES");
                begun = true;
            } else if (verbatim) {
                line(page, text(line));
            } else if (!line.isBlank()) {
                line(page, (begun ? "" : ".PP\n") + text(line.strip()));
                begun = false;
            }
        }
        if (verbatim) {
            line(page, ".fi");
        }
    }

    private static void item(StringBuilder page, String term, String meaning) {
        line(page, ".TP\n" + term + "\n" + (meaning.isEmpty() ? "\\&" : text(meaning)));
    }

    private static String quoted(String text) {
        return '"' + text(text) + '"';
    }

    /** Escapes text for roff: hyphens can be copied, and no line becomes a request. */
    private static String text(String plain) {
        String safe = plain.replace("\\", "\\e").replace("-", "\\-");
        return safe.startsWith(".") || safe.startsWith("'") ? "\\&" + safe : safe;
    }

    private static void line(StringBuilder page, String line) {
        page.append(line).append('\n');
    }
}
