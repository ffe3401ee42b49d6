package io.millrace.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A page of the documentation: what stands between its fences, where it links to, and where it can be linked to. */
record MarkdownPage(Path file, List<Block> blocks, List<Link> links, Set<String> anchors) {
    private static final String FENCE = "```";
    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
    private static final Pattern CODE = Pattern.compile("`[^`]*`");
    private static final Pattern NO_ANCHOR = Pattern.compile("[^\\p{L}\\p{N} _-]");

    /** What stands between two fences; what the first of them says it is, and the number of its line. */
    record Block(String info, String text, int line) {}

    /** Where a link goes, and the number of its line. */
    record Link(String target, int line) {}

    static MarkdownPage read(Path file) throws IOException {
        List<Block> blocks = new ArrayList<>();
        List<Link> links = new ArrayList<>();
        Set<String> anchors = new LinkedHashSet<>();
        List<String> lines = Files.readAllLines(file);
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.startsWith(FENCE)) {
                int end = i + 1;
                while (!lines.get(end).equals(FENCE)) {
                    end++;
                }
                String info = line.substring(FENCE.length()).strip();
                blocks.add(new Block(info, String.join("\n", lines.subList(i + 1, end)) + "\n", i + 1));
                i = end;
                continue;
            }
            if (line.startsWith("#")) {
                anchors.add(anchor(line.replaceFirst("#+ ", "")));
            }
            Matcher matcher = LINK.matcher(CODE.matcher(line).replaceAll("``"));
            while (matcher.find()) {
                links.add(new Link(matcher.group(1), i + 1));
            }
        }
        return new MarkdownPage(file, blocks, links, anchors);
    }

    /** As the sites that show Markdown make them of a heading. */
    private static String anchor(String heading) {
        return NO_ANCHOR
                .matcher(heading.strip().toLowerCase(Locale.ROOT))
                .replaceAll("")
                .replace(' ', '-');
    }
}
