package io.millrace.structure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A table of a page that is generated. {@code -Dmillrace.docs.write=true} writes it instead of comparing it. */
public final class DocTable {
    private DocTable() {}

    /**
     * Compares the rows of a table.
     *
     * @param head the first line of the table, without rows and separator
     */
    public static void check(Path document, String head, List<String> rows) throws IOException {
        List<String> lines = Files.readAllLines(document);
        int begin = lines.indexOf(head) + 2;
        assertThat(begin).as("the table in " + document).isGreaterThan(1);
        int end = begin;
        while (end < lines.size() && lines.get(end).startsWith("|")) {
            end++;
        }
        if (Boolean.getBoolean("millrace.docs.write")) {
            List<String> written = new ArrayList<>(lines.subList(0, begin));
            written.addAll(rows);
            written.addAll(lines.subList(end, lines.size()));
            Files.write(document, written);
            return;
        }
        assertThat(lines.subList(begin, end))
                .as("run with -Dmillrace.docs.write=true to write it again")
                .isEqualTo(rows);
    }
}
