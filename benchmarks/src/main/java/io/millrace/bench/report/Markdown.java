package io.millrace.bench.report;

import java.util.List;

/** Markdown format of a document, without its charts. */
public final class Markdown {
    private Markdown() {}

    static String of(Document document) {
        StringBuilder out = new StringBuilder("# ").append(document.title()).append("\n\n");
        for (Document.Block block : document.blocks()) {
            if (block instanceof Document.Heading heading) {
                out.append("## ").append(heading.text()).append("\n\n");
            } else if (block instanceof Document.Text text) {
                out.append(text.text()).append("\n\n");
            } else if (block instanceof Document.Code code) {
                out.append("```\n").append(code.text().stripTrailing()).append("\n```\n\n");
            } else if (block instanceof Document.Table table) {
                table(out, table);
            }
        }
        return out.toString();
    }

    /** The headings and tables up to the environment, for a terminal. */
    public static String tables(Document document) {
        StringBuilder out = new StringBuilder();
        String heading = "";
        for (Document.Block block : document.blocks()) {
            if (block instanceof Document.Heading next) {
                heading = next.text();
                if (heading.equals(Sections.ENVIRONMENT)) {
                    break;
                }
            } else if (block instanceof Document.Table table) {
                out.append(heading).append("\n\n");
                table(out, table);
            }
        }
        return out.toString();
    }

    private static void table(StringBuilder out, Document.Table table) {
        int columns = table.columns().size();
        int[] widths = new int[columns];
        for (int i = 0; i < columns; i++) {
            widths[i] = Math.max(3, table.columns().get(i).length());
            for (List<String> row : table.rows()) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        row(out, table.columns(), widths);
        out.append('|');
        for (int i = 0; i < columns; i++) {
            out.append(" ").append("-".repeat(widths[i] - 1)).append(i == 0 ? "- |" : ": |");
        }
        out.append('\n');
        table.rows().forEach(row -> row(out, row, widths));
        out.append('\n');
    }

    private static void row(StringBuilder out, List<String> cells, int[] widths) {
        out.append('|');
        for (int i = 0; i < cells.size(); i++) {
            String cell = cells.get(i).replace("|", "\\|");
            String space = " ".repeat(Math.max(0, widths[i] - cell.length()));
            out.append(' ').append(i == 0 ? cell + space : space + cell).append(" |");
        }
        out.append('\n');
    }
}
