package io.millrace.bench.subject;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.bench.host.ChildProcess;
import io.millrace.bench.host.Programs;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The Millrace service in a process of its own, as its script starts it.
 *
 * @param process the process
 * @param ready its ready line
 */
public record MillraceService(ChildProcess process, String ready) {
    private static final Pattern PORT = Pattern.compile("ready: (?:udp|tcp|tls) \\S*:(\\d+)[ ,]");
    private static final Pattern ADMIN = Pattern.compile("admin (http://[^ ,]+)");
    private static final Duration READY_TIMEOUT = Duration.ofSeconds(30);
    private static final int REQUEST_TIMEOUT_MS = 20_000;

    /** The command that runs the service. */
    public static List<String> command(String... options) throws IOException {
        List<String> command = new ArrayList<>(Programs.java());
        Path jar = Programs.built("collector-app/target/millrace.jar");
        command.addAll(Programs.classArchive(jar));
        command.addAll(List.of("-jar", jar.toString(), "run"));
        command.addAll(List.of(options));
        return command;
    }

    /** Starts it and waits until it is ready. */
    public static MillraceService start(String name, List<String> command) throws IOException, InterruptedException {
        ChildProcess process = ChildProcess.start(name, command);
        try {
            return new MillraceService(process, process.awaitErr(line -> line.contains("ready:"), READY_TIMEOUT));
        } catch (IOException | InterruptedException e) {
            process.close();
            throw e;
        }
    }

    /** The port of its first input. */
    public int port() throws IOException {
        return Integer.parseInt(find(PORT));
    }

    /**
     * A resource of its admin HTTP, as JSON.
     *
     * @throws IOException if it does not answer with 200
     */
    public JsonNode get(String path) throws IOException {
        return new ObjectMapper().readTree(body(admin(path)));
    }

    /**
     * A resource of its admin HTTP, as text.
     *
     * @throws IOException if it does not answer with 200
     */
    public String text(String path) throws IOException {
        return body(admin(path));
    }

    /** Reloads its configuration. */
    public void reload() throws IOException {
        HttpURLConnection request = admin("/api/reload");
        request.setDoOutput(true); // POST, with an empty body.
        request.getOutputStream().close();
        var unused = body(request);
    }

    private HttpURLConnection admin(String path) throws IOException {
        HttpURLConnection request =
                (HttpURLConnection) URI.create(find(ADMIN) + path).toURL().openConnection();
        request.setConnectTimeout(REQUEST_TIMEOUT_MS);
        request.setReadTimeout(REQUEST_TIMEOUT_MS);
        return request;
    }

    private static String body(HttpURLConnection request) throws IOException {
        int code = request.getResponseCode();
        try (InputStream in = code == HttpURLConnection.HTTP_OK ? request.getInputStream() : request.getErrorStream()) {
            String body = in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
            if (code != HttpURLConnection.HTTP_OK) {
                throw new IOException(request.getURL().getPath() + " returned " + code + ": " + body.strip());
            }
            return body;
        }
    }

    /** The first group of a pattern in the ready line. */
    public String find(Pattern pattern) throws IOException {
        Matcher matcher = pattern.matcher(ready);
        if (!matcher.find()) {
            throw new IOException("unexpected ready line: " + ready);
        }
        return matcher.group(1);
    }
}
