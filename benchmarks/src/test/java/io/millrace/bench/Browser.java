package io.millrace.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.bench.host.ChildProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One page in a Chromium without a window, driven over its DevTools protocol. */
final class Browser implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Pattern PORT = Pattern.compile("ws://[^:]+:(\\d+)/");
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final ChildProcess process;
    private final WebSocket socket;
    private final Map<Integer, CompletableFuture<JsonNode>> waiting;
    private final List<String> errors;
    private final AtomicInteger ids = new AtomicInteger();

    private Browser(ChildProcess process, WebSocket socket, Listener listener) {
        this.process = process;
        this.socket = socket;
        this.waiting = listener.waiting;
        this.errors = listener.errors;
    }

    /** Takes answers, and notes what the page complains of. */
    private static final class Listener implements WebSocket.Listener {
        private final Map<Integer, CompletableFuture<JsonNode>> waiting = new ConcurrentHashMap<>();
        private final List<String> errors = new CopyOnWriteArrayList<>();
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                take(text.toString());
                text.setLength(0);
            }
            from.request(1);
            return null;
        }

        private void take(String message) {
            try {
                JsonNode json = MAPPER.readTree(message);
                CompletableFuture<JsonNode> answer =
                        json.has("id") ? waiting.remove(json.get("id").asInt()) : null;
                if (answer != null) {
                    answer.complete(json);
                } else if (json.path("method").asText().equals("Log.entryAdded")
                        && json.at("/params/entry/level").asText().equals("error")) {
                    errors.add(json.at("/params/entry").toString());
                } else if (json.path("method").asText().equals("Runtime.exceptionThrown")) {
                    errors.add(json.at("/params/exceptionDetails").toString());
                }
            } catch (IOException e) {
                errors.add(e.toString());
            }
        }
    }

    /** Opens a page. */
    static Browser open(Path profile, String url) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                "chromium",
                "--headless",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--remote-debugging-port=0",
                "--remote-allow-origins=*",
                "--user-data-dir=" + profile));
        if ("root".equals(System.getProperty("user.name"))) {
            command.add("--no-sandbox");
        }
        command.add("about:blank");
        ChildProcess process = ChildProcess.start("chromium", command);
        try {
            String line = process.awaitErr(it -> it.contains("DevTools listening"), PATIENCE);
            Matcher port = PORT.matcher(line);
            if (!port.find()) {
                throw new AssertionError("no port in: " + line);
            }
            HttpClient http = HttpClient.newHttpClient();
            JsonNode targets = MAPPER.readTree(http.send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port.group(1) + "/json/list"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body());
            String target = "";
            for (JsonNode each : targets) {
                if (each.get("type").asText().equals("page")) {
                    target = each.get("webSocketDebuggerUrl").asText();
                }
            }
            Listener listener = new Listener();
            WebSocket socket = http.newWebSocketBuilder()
                    .buildAsync(URI.create(target), listener)
                    .get(30, TimeUnit.SECONDS);
            Browser browser = new Browser(process, socket, listener);
            browser.call("Log.enable", Map.of());
            browser.call("Runtime.enable", Map.of());
            browser.call("Page.enable", Map.of());
            browser.call("Page.navigate", Map.of("url", url));
            return browser;
        } catch (Exception | AssertionError e) {
            process.close();
            throw e;
        }
    }

    private JsonNode call(String method, Map<String, Object> parameters) throws Exception {
        int id = ids.incrementAndGet();
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        waiting.put(id, answer);
        ObjectNode message = MAPPER.createObjectNode();
        message.put("id", id).put("method", method).set("params", MAPPER.valueToTree(parameters));
        socket.sendText(message.toString(), true).get(30, TimeUnit.SECONDS);
        JsonNode json = answer.get(30, TimeUnit.SECONDS);
        if (json.has("error")) {
            throw new AssertionError(method + ": " + json.get("error"));
        }
        return json.get("result");
    }

    /** The value of an expression in the page, which may be a promise. */
    JsonNode evaluate(String expression) throws Exception {
        JsonNode result =
                call("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
        if (result.has("exceptionDetails")) {
            throw new AssertionError(expression + ": " + result.get("exceptionDetails"));
        }
        return result.get("result").path("value");
    }

    /** The text of an element. */
    String text(String selector) throws Exception {
        return evaluate("document.querySelector(" + MAPPER.writeValueAsString(selector) + ")?.textContent ?? ''")
                .asText();
    }

    /** Types keys, as a person would who has no mouse. */
    void press(String key) throws Exception {
        int code = key.equals("Tab") ? 9 : 13;
        for (String type : List.of("keyDown", "keyUp")) {
            call(
                    "Input.dispatchKeyEvent",
                    Map.of(
                            "type",
                            type,
                            "key",
                            key,
                            "code",
                            key,
                            "windowsVirtualKeyCode",
                            code,
                            "text",
                            key.equals("Enter") && type.equals("keyDown") ? "\r" : ""));
        }
    }

    /** How wide the page is, and in which colours. */
    void show(int width, boolean dark) throws Exception {
        call(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", 900, "deviceScaleFactor", 1, "mobile", width < 600));
        call(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
    }

    /** A picture of the whole page. */
    void screenshot(Path file) throws Exception {
        JsonNode picture = call("Page.captureScreenshot", Map.of("format", "png", "captureBeyondViewport", true));
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.write(file, Base64.getDecoder().decode(picture.get("data").asText()));
    }

    /** What the page complained of: exceptions, what its policy forbids, what could not be loaded. */
    List<String> errors() {
        return List.copyOf(errors);
    }

    @Override
    public void close() {
        socket.abort();
        process.close();
    }
}
