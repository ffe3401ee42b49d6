package io.millrace.app.admin;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The files of the page, which are in the jar. Immutable. */
final class WebFiles {
    static final String HTML = "text/html; charset=utf-8";
    private static final String CSS = "text/css; charset=utf-8";
    private static final String SCRIPT = "text/javascript; charset=utf-8";

    /** The chart library; its version is part of the path. */
    private static final String CHART = "/META-INF/resources/webjars/uplot/1.6.30/dist/uPlot.";

    private final Map<String, File> files = new TreeMap<>();
    private final DocsPages docs = new DocsPages();

    @SuppressWarnings("ArrayRecordComponent") // Never changed after it was read.
    record File(String type, byte[] bytes) {}

    WebFiles() {
        add("/", HTML, "web/index.html");
        add("/web/page.css", CSS, "web/page.css");
        for (String script : List.of(
                "page.js", "flow.js", "sources.js", "line.js", "server.js", "text.js", "history.js", "tail.js")) {
            add("/web/" + script, SCRIPT, "web/" + script);
        }
        add("/web/docs.css", CSS, "web/docs.css");
        add("/web/uplot.css", CSS, CHART + "min.css");
        add("/web/uplot.js", SCRIPT, CHART + "iife.min.js");
    }

    private void add(String path, String type, String resource) {
        try (InputStream in = WebFiles.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException(resource + " is not in the jar");
            }
            files.put(path, new File(type, in.readAllBytes()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A file by the path of its request; null if there is none. */
    @Nullable
    File get(String path) throws IOException {
        return path.startsWith(DocsPages.ROOT) ? docs.get(path) : files.get(path);
    }
}
