package io.millrace.app.admin;

import io.millrace.app.admin.WebFiles.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.ext.heading.anchor.HeadingAnchorExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Heading;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;
import org.jspecify.annotations.Nullable;

/**
 * The documentation as HTML, for hosts without the internet: the jar has its Markdown. Paths are those of the repository, such as
 * {@code /docs/operate/runbook/flood.md}. Any thread.
 */
final class DocsPages {
    static final String ROOT = "/docs/";

    private static final String RESOURCES = "/io/millrace";
    /** The expressions recurse for each part of a path. */
    private static final int MAX_PATH = 100;

    private static final Pattern PAGE = Pattern.compile("/docs(/[a-zA-Z0-9-]+)+\\.md");
    private static final Pattern SOURCE = Pattern.compile("/docs/embed/[a-zA-Z-]+\\.(txt|java)");
    private static final Pattern PICTURE = Pattern.compile("/docs/(pictures|benchmarks)/[a-z0-9-]+\\.svg");
    private static final Pattern SCHEME = Pattern.compile("[a-z]+:.*");
    private static final String TEMPLATE = """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>@TITLE@ · Millrace</title>
            <link rel="icon" href="data:,">
            <link rel="stylesheet" href="/web/docs.css">
            </head>
            <body>
            <nav><a href="/">Millrace</a> · <a href="/docs/README.md">Documentation</a> · <a href="/docs/operate/runbook/README.md">Runbook</a></nav>
            <main>
            @TEXT@</main>
            </body>
            </html>
            """;

    private static final List<Extension> EXTENSIONS =
            List.of(TablesExtension.create(), HeadingAnchorExtension.create());

    private final Parser parser = Parser.builder().extensions(EXTENSIONS).build();
    private final HtmlRenderer renderer =
            HtmlRenderer.builder().extensions(EXTENSIONS).escapeHtml(true).build();
    /** Strangers may ask for pages, so each is made once. There are fewer than a hundred. */
    private final Map<String, File> made = new ConcurrentHashMap<>();

    /** The page, picture or text of a path; null if there is none. */
    @Nullable
    File get(String path) throws IOException {
        File known = made.get(path);
        if (known != null) {
            return known;
        }
        if (path.equals(ROOT)) {
            return get(ROOT + "README.md");
        }
        File file = path.length() > MAX_PATH ? null : make(path);
        if (file != null) {
            made.put(path, file);
        }
        return file;
    }

    private @Nullable File make(String path) throws IOException {
        if (PICTURE.matcher(path).matches()) {
            return file("image/svg+xml", resource(path));
        } else if (SOURCE.matcher(path).matches()) {
            return file("text/plain; charset=utf-8", resource(path));
        }
        byte[] markdown = PAGE.matcher(path).matches() ? resource(path) : null;
        return markdown == null
                ? null
                : new File(
                        WebFiles.HTML,
                        html(path, new String(markdown, StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8));
    }

    private static @Nullable File file(String type, byte @Nullable [] bytes) {
        return bytes == null ? null : new File(type, bytes);
    }

    private static byte @Nullable [] resource(String path) throws IOException {
        try (InputStream in = DocsPages.class.getResourceAsStream(RESOURCES + path)) {
            return in == null ? null : in.readAllBytes();
        }
    }

    private String html(String path, String markdown) {
        Node document = parser.parse(markdown);
        document.accept(new LinksOfOtherFiles(path));
        Title title = new Title();
        document.accept(title);
        return TEMPLATE.replace("@TITLE@", title.text.toString().replaceAll("[<>&]", ""))
                .replace("@TEXT@", renderer.render(document));
    }

    /** Replaces links to files that are not below {@code docs} by their text. */
    private static final class LinksOfOtherFiles extends AbstractVisitor {
        private final Path folder;

        LinksOfOtherFiles(String path) {
            this.folder = Path.of(path).resolveSibling("");
        }

        @Override
        public void visit(Link link) {
            String target = link.getDestination().replaceFirst("#.*", "");
            boolean isElsewhere = !SCHEME.matcher(target).matches()
                    && !folder.resolve(target).normalize().startsWith(Path.of("/docs"));
            if (isElsewhere) {
                Node child = link.getFirstChild();
                while (child != null) {
                    Node next = child.getNext();
                    link.insertBefore(child);
                    child = next;
                }
                link.unlink();
            }
        }
    }

    /** The text of the first heading. */
    private static final class Title extends AbstractVisitor {
        private final StringBuilder text = new StringBuilder();
        private boolean isDone;

        @Override
        public void visit(Heading heading) {
            if (!isDone) {
                visitChildren(heading);
                isDone = true;
            }
        }

        @Override
        public void visit(Text part) {
            if (!isDone && part.getParent() instanceof Heading) {
                text.append(part.getLiteral());
            }
        }
    }
}
