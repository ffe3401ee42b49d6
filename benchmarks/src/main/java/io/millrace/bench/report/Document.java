package io.millrace.bench.report;

import java.util.ArrayList;
import java.util.List;

/** The content of a report, independent of its format. */
public final class Document {
    private final String title;
    private final List<Block> blocks = new ArrayList<>();

    /** A part of a document. */
    public sealed interface Block permits Heading, Text, Code, Table, Chart {}

    /** A heading of a section. */
    public record Heading(String text) implements Block {}

    /** A paragraph. */
    public record Text(String text) implements Block {}

    /** Preformatted lines. */
    public record Code(String text) implements Block {}

    /** A table with one cell per column in each row. */
    public record Table(List<String> columns, List<List<String>> rows) implements Block {}

    /** Makes an empty document. */
    public Document(String title) {
        this.title = title;
    }

    public String title() {
        return title;
    }

    /** Its parts, in order. */
    public List<Block> blocks() {
        return blocks;
    }

    /** Adds a heading. */
    public Document heading(String text) {
        return add(new Heading(text));
    }

    /** Adds a paragraph. */
    public Document text(String text) {
        return add(new Text(text));
    }

    /** Adds preformatted lines. */
    public Document code(String text) {
        return add(new Code(text));
    }

    /** Adds a table. */
    public Document table(List<String> columns, List<List<String>> rows) {
        return add(new Table(columns, rows));
    }

    /** Adds a part. */
    public Document add(Block block) {
        blocks.add(block);
        return this;
    }
}
