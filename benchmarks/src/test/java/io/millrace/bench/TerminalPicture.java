package io.millrace.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a terminal shows, as SVG. Each row has the width of its characters, whatever font the reader has. */
final class TerminalPicture {
    /** As many as have letters of 12 px at a width of 800 px. */
    private static final int COLUMNS = 115;

    private static final double CHARACTER = 6.75;
    private static final int LINE = 18;
    private static final int TOP = 44;
    /** The last column of a table, or the text of an indented line. */
    private static final Pattern LAST_COLUMN = Pattern.compile("^(?:.*\\S {3,}| {2,}(?:\\w+ {2,})?)(?=\\S)");

    private static final String HEAD = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 HEIGHT" role="img" aria-label="Output of COMMAND">
            <style>
            text { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: 12px; fill: #e6edf3; white-space: pre; }
            .prompt { fill: #7ee787; font-weight: 600; }
            </style>
            <rect x="0.5" y="0.5" width="799" height="BACKGROUND" rx="8" fill="#161b22" stroke="#57606a"/>
            <circle cx="18" cy="15" r="5" fill="#6e7681"/><circle cx="35" cy="15" r="5" fill="#6e7681"/><circle cx="52" cy="15" r="5" fill="#6e7681"/>
            """;

    private TerminalPicture() {}

    /** A command, and what it printed. */
    static String of(String command, List<String> lines) {
        List<String> rows = new ArrayList<>(List.of("$ " + command));
        lines.forEach(line -> rows.addAll(wrapped(line)));
        int height = TOP + (rows.size() - 1) * LINE + 14;
        StringBuilder out = new StringBuilder(HEAD.replace("HEIGHT", "" + height)
                .replace("BACKGROUND", "" + (height - 1))
                .replace("COMMAND", escaped(command)));
        for (int i = 0; i < rows.size(); i++) {
            String row = rows.get(i);
            String text = row.stripLeading();
            if (!text.isEmpty()) {
                out.append(String.format(
                        Locale.ROOT,
                        "<text%s x=\"%.1f\" y=\"%d\" textLength=\"%.1f\" lengthAdjust=\"spacingAndGlyphs\" xml:space=\"preserve\">%s</text>%n",
                        i == 0 ? " class=\"prompt\"" : "",
                        12 + (row.length() - text.length()) * CHARACTER,
                        TOP + i * LINE,
                        text.length() * CHARACTER,
                        escaped(text)));
            }
        }
        return out + "</svg>\n";
    }

    /** A long line continues under its last column. */
    private static List<String> wrapped(String line) {
        List<String> rows = new ArrayList<>();
        Matcher column = LAST_COLUMN.matcher(line);
        String indentation = " ".repeat(column.find() ? column.end() : 0);
        String rest = line.stripTrailing();
        while (rest.length() > COLUMNS) {
            int end = rest.lastIndexOf(' ', COLUMNS);
            if (end <= indentation.length()) {
                end = COLUMNS;
            }
            rows.add(rest.substring(0, end).stripTrailing());
            rest = indentation + rest.substring(end).stripLeading();
        }
        rows.add(rest);
        return rows;
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
