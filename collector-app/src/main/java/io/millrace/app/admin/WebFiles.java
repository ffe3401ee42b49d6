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
    private static final String HTML = "text/html; charset=utf-8";
    private static final String CSS = "text/css; charset=utf-8";
    private static final String SCRIPT = "text/javascript; charset=utf-8";

    /** The version of the WebJar, which is part of the path. */
    private static final String CHART_VERSION = "4.5.1";

    private final Map<String, File> files = new TreeMap<>();

    @SuppressWarnings("ArrayRecordComponent") // Never changed after it was read.
    record File(String type, byte[] bytes) {}

    WebFiles() {
        add("/", HTML, "web/index.html");
        add("/web/page.css", CSS, "web/page.css");
        for (String script : List.of(
                "page.js", "path.js", "sources.js", "line.js", "server.js", "text.js", "history.js", "tail.js")) {
            add("/web/" + script, SCRIPT, "web/" + script);
        }
        add(
                "/web/chart.js",
                SCRIPT,
                "/META-INF/resources/webjars/chart.js/" + CHART_VERSION + "/dist/chart.umd.min.js");
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

    @Nullable
    File get(String path) {
        return files.get(path);
    }
}
