package io.millrace.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.app.Main;
import io.millrace.internal.journal.TestJournal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Wrong command lines and configurations of {@code wrong-inputs.txt}: the error says what to do. */
class WrongInputTest {
    private static final String CONFIGURATION = " FILE ";

    @TempDir
    private static Path root;

    @SuppressWarnings("UnusedVariable") // Used by name.
    private static final List<String> INPUTS = inputs();

    private static List<String> inputs() {
        try (var file = Objects.requireNonNull(WrongInputTest.class.getResourceAsStream("/wrong-inputs.txt"))) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @BeforeAll
    static void makeJournal() throws IOException {
        TestJournal.open(root.resolve("data"), 1).close();
    }

    @ParameterizedTest
    @FieldSource("INPUTS")
    void errorSaysWhatToDo(String line) throws IOException {
        String[] inputAndAnswer = line.split(" => ", 2);
        PrintStream err = System.err;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
        int code;
        try {
            code = Main.execute(arguments(inputAndAnswer[0]));
        } finally {
            System.setErr(err);
        }
        String text = said.toString(StandardCharsets.UTF_8);
        assertThat(text).contains(inputAndAnswer[1]).doesNotContain("Exception").doesNotContain("\tat ");
        // Files and data directories may be right elsewhere; all else is wrong usage.
        boolean namesFiles = inputAndAnswer[0].contains("--data") || inputAndAnswer[0].contains("/no/such");
        assertThat(code).isIn(namesFiles ? List.of(1, 2) : List.of(2));
    }

    private static String[] arguments(String input) throws IOException {
        int end = input.indexOf(CONFIGURATION);
        List<String> arguments = new ArrayList<>(Arrays.asList((end < 0 ? input : input.substring(0, end)).split(" ")));
        arguments.replaceAll(word -> word.equals("DATA") ? root.resolve("data").toString() : word);
        if (end >= 0) {
            Path file = Files.writeString(root.resolve("c.yaml"), input.substring(end + CONFIGURATION.length()));
            arguments.add(file.toString());
        }
        return arguments.toArray(String[]::new);
    }
}
