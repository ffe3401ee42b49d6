package io.millrace.bench.report;

import java.util.List;

/** HTML format of a document: one page without other resources. */
final class Html {
    private static final String STYLE = """
            body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
            h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.2rem; }
            table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; display: block; overflow-x: auto; }
            th, td { border: 1px solid #ccc; padding: .25rem .6rem; text-align: right; }
            th:first-child, td:first-child { text-align: left; }
            th { background: #f3f3f3; }
            pre { background: #f6f6f6; padding: .8rem; overflow-x: auto; font-size: 12px; }
            svg { width: 100%; height: auto; margin: 1rem 0; background: #fff; border: 1px solid #ddd; }
            """;

    private Html() {}

    static String of(Document document) {
        StringBuilder out = new StringBuilder();
        out.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<title>")
                .append(escape(document.title()))
                .append("</title>\n<meta name=\"viewport\" content=\"width=device-width\">\n<style>\n")
                .append(STYLE)
                .append("</style></head><body>\n<h1>")
                .append(escape(document.title()))
                .append("</h1>\n");
        for (Document.Block block : document.blocks()) {
            out.append(of(block)).append('\n');
        }
        return out.append("</body></html>\n").toString();
    }

    private static String of(Document.Block block) {
        if (block instanceof Document.Heading heading) {
            return "<h2>" + escape(heading.text()) + "</h2>";
        } else if (block instanceof Document.Text text) {
            return "<p>" + escape(text.text()) + "</p>";
        } else if (block instanceof Document.Code code) {
            return "<pre>" + escape(code.text()) + "</pre>";
        } else if (block instanceof Document.Table table) {
            return table(table);
        }
        return Svg.draw((Chart) block);
    }

    private static String table(Document.Table table) {
        StringBuilder out = new StringBuilder("<table><thead>");
        row(out, table.columns(), "th");
        out.append("</thead><tbody>\n");
        table.rows().forEach(row -> row(out, row, "td"));
        return out.append("</tbody></table>").toString();
    }

    private static void row(StringBuilder out, List<String> cells, String tag) {
        out.append("<tr>");
        cells.forEach(cell -> out.append('<')
                .append(tag)
                .append('>')
                .append(escape(cell))
                .append("</")
                .append(tag)
                .append('>'));
        out.append("</tr>\n");
    }

    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
