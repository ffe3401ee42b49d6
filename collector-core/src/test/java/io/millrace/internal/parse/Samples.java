package io.millrace.internal.parse;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Messages to test with: those of {@code docs/concepts/recognised-messages.md}, with the fields there, the corpus, and cases. */
public final class Samples {
    /** A message and what is made of it: its fields as logfmt, or the fields of its body as JSON. */
    public record Sample(String text, String fields) {
        /** The message as it is sent. */
        public byte[] message() {
            return text.getBytes(UTF_8);
        }
    }

    private static final Path PAGE = Path.of("../docs/concepts/recognised-messages.md");
    private static final Path CORPUS = Path.of("src/test/resources/syslog/corpus.txt");

    private static final ObjectMapper JSON = new ObjectMapper();

    private Samples() {}

    /** Those of the page, of the corpus, and of the cases. */
    public static List<byte[]> all() throws IOException {
        List<byte[]> all = new ArrayList<>(corpus());
        for (JsonNode sample : cases()) {
            all.add(sample.get("in").asText().getBytes(UTF_8));
        }
        documented("syslog").forEach(sample -> all.add(sample.message()));
        documented("fields").forEach(sample -> all.add(sample.message()));
        return all;
    }

    /** Messages as daemons and devices send them. */
    public static List<byte[]> corpus() throws IOException {
        return Files.readAllLines(CORPUS).stream()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.getBytes(UTF_8))
                .toList();
    }

    /** Messages that other collectors got wrong, and more of their kind, with the expected values. */
    public static List<JsonNode> cases() throws IOException {
        List<JsonNode> cases = new ArrayList<>();
        for (String name : List.of("cases.jsonl", "more-cases.jsonl")) {
            for (String line : Files.readAllLines(CORPUS.resolveSibling(name))) {
                cases.add(JSON.readTree(line));
            }
        }
        return cases;
    }

    /** In each block of this name, a message is a line, and the indented line after it is what it is understood as. */
    public static List<Sample> documented(String block) throws IOException {
        List<Sample> samples = new ArrayList<>();
        boolean inBlock = false;
        String message = "";
        for (String line : Files.readAllLines(PAGE)) {
            if (line.startsWith("```")) {
                inBlock = line.equals("```" + block);
            } else if (inBlock && line.startsWith("    ")) {
                String text = block.equals("syslog") ? unescaped(message) : message.replace("\\u0009", "\t");
                samples.add(new Sample(text, line.strip()));
            } else if (inBlock) {
                message = line;
            }
        }
        return samples;
    }

    /** What a page cannot show stands there as in Java. */
    private static String unescaped(String text) {
        return text.replace("\\u0000", "\0")
                .replace("\\ufeff", "\ufeff")
                .replace("\\n", "\n")
                .replace("\\r", "\r");
    }
}
