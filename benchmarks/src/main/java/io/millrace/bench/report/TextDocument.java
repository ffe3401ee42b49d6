package io.millrace.bench.report;

/** The headings and tables of a document, for a terminal; the rest of it is in the folder. */
public final class TextDocument {
    private TextDocument() {}

    /** The text. */
    public static String text(Document document) {
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
                Markdown.table(out, table);
            }
        }
        return out.toString();
    }
}
