package io.millrace.app.command.journal;

import io.millrace.app.command.DataOption;
import io.millrace.app.command.HelpOption;
import io.millrace.app.control.Answer;
import io.millrace.app.control.ControlClient;
import io.millrace.app.fault.DeadLetterLooks;
import io.millrace.internal.format.TerminalFormat;
import io.millrace.internal.journal.DataDirectory;
import io.millrace.internal.text.ByteSize;
import io.millrace.message.InputRules;
import io.millrace.message.LineBuffer;
import io.millrace.message.LogRecord;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code millrace dead-letters}: the messages that the destinations of outputs have rejected. */
@Command(
        name = "dead-letters",
        description = "Show, retry or delete messages that a destination rejected.",
        footer = {
            "",
            "The message of a dead letter stays in the journal until retention deletes it; retry delivers it from there.",
            "",
            "Examples:",
            "  millrace dead-letters list --data /var/lib/millrace",
            "  millrace dead-letters show kafka -n 10",
            "  millrace dead-letters show kafka --json | jq -r .reason | sort | uniq -c",
            "  millrace dead-letters retry kafka                 after the cause is fixed",
            "  millrace dead-letters drop kafka",
        })
public final class DeadLettersCommand extends HelpOption implements Runnable {
    private static final String SUFFIX = ".ndjson";
    private static final String OLDER = SUFFIX + ".1";

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "dead-letters accepts list, show, retry or drop");
    }

    static final class Options extends DataOption {
        private Path directory() throws IOException {
            if (!Files.isDirectory(data())) {
                throw new IllegalArgumentException(
                        data() + " is no data directory: name that of the service with --data");
            }
            return data().resolve("dead-letters");
        }

        private List<String> outputs() throws IOException {
            if (!Files.isDirectory(directory())) {
                return List.of();
            }
            try (Stream<Path> files = Files.list(directory())) {
                return List.copyOf(files.map(file -> file.getFileName().toString())
                        .filter(name -> name.endsWith(SUFFIX) || name.endsWith(OLDER))
                        .map(name -> name.substring(0, name.lastIndexOf(SUFFIX)))
                        .collect(Collectors.toCollection(TreeSet::new)));
            }
        }

        /** The files of an output, the oldest first. */
        private List<Path> files(String output) throws IOException {
            if (!outputs().contains(output)) {
                throw new IllegalArgumentException("there are no dead letters of an output '" + output + "'"
                        + (outputs().isEmpty() ? "" : "; there are those of " + String.join(", ", outputs())));
            }
            return Stream.of(directory().resolve(output + OLDER), directory().resolve(output + SUFFIX))
                    .filter(Files::exists)
                    .toList();
        }
    }

    /** Ends the fault of these dead letters. */
    private static void looked(Options options, String output) throws IOException {
        try {
            DeadLetterLooks.note(options.data(), output);
        } catch (IOException e) {
            System.err.printf(
                    "millrace: the fault output-rejects of %s stays, because this user cannot write to %s%n",
                    output, options.directory());
        }
    }

    /** What is done with each dead letter. */
    @FunctionalInterface
    private interface Visitor {
        void accept(DeadLetter letter);
    }

    @Command(name = "list", description = "Print how many dead letters each output has, and why.")
    int list(@Mixin Options options) throws IOException {
        List<String> outputs = options.outputs();
        if (outputs.isEmpty()) {
            System.err.println("millrace: no dead letters in " + options.directory());
        }
        for (String output : outputs) {
            looked(options, output);
            long bytes = 0;
            Map<String, Integer> kinds = new TreeMap<>();
            Deque<String> times = new ArrayDeque<>();
            for (Path file : options.files(output)) {
                bytes += Files.size(file);
                each(file, letter -> {
                    kinds.merge(letter.kind(), 1, Integer::sum);
                    if (times.size() > 1) {
                        times.removeLast();
                    }
                    times.add(letter.time());
                });
            }
            System.out.printf(
                    Locale.ROOT,
                    "%s: %,d (%s), %s%s%n",
                    output,
                    kinds.values().stream().mapToInt(Integer::intValue).sum(),
                    kinds.entrySet().stream()
                            .map(kind -> kind.getKey() + " " + kind.getValue())
                            .collect(Collectors.joining(", ")),
                    ByteSize.text(bytes),
                    times.isEmpty() ? "" : ", from " + times.getFirst() + " to " + times.getLast());
        }
        return 0;
    }

    @Command(
            name = "show",
            description =
                    "Print the dead letters of an output: time, kind, place in the journal, reason, and the message.")
    int show(
            @Mixin Options options,
            @Parameters(paramLabel = "OUTPUT", description = "The output.") String output,
            @Option(names = "-n", paramLabel = "N", description = "Only the last N.") @Nullable Integer last,
            @Option(names = "--json", description = "Print each as it is in the file, one JSON object per line.")
                    boolean json)
            throws IOException {
        List<Path> files = options.files(output);
        looked(options, output);
        Deque<DeadLetter> letters = new ArrayDeque<>();
        int limit = last == null ? Integer.MAX_VALUE : last;
        for (Path file : files) {
            each(file, letter -> {
                if (last == null) {
                    print(letter, json);
                } else {
                    letters.add(letter);
                    while (letters.size() > limit) {
                        letters.removeFirst();
                    }
                }
            });
        }
        letters.forEach(letter -> print(letter, json));
        System.out.flush();
        return 0;
    }

    private static void print(DeadLetter letter, boolean json) {
        if (json) {
            System.out.println(letter.line());
            return;
        }
        String head = letter.time() + " " + letter.kind() + " " + letter.position() + " " + letter.reason() + ": ";
        System.out.print(shown(head.getBytes(StandardCharsets.UTF_8)));
        System.out.println(shown(letter.payload()));
    }

    /** Escaped, because anybody can send a message. */
    private static String shown(byte[] text) {
        LineBuffer line = new LineBuffer();
        new TerminalFormat().write(LogRecord.of(InputRules.DEFAULT).wrap(text, 0, text.length, 0), line);
        // Without the line feed at its end.
        return new String(line.array(), 0, line.length() - 1, StandardCharsets.UTF_8);
    }

    @Command(
            name = "retry",
            description = {
                "Have the running service deliver dead letters again, with the settings that the output has now. A dead letter is"
                        + " removed when the destination has accepted its message.",
                "Exit code 1 if some are left; the service continues with those that wait for their destination."
            })
    int retry(
            @Mixin Options options,
            @Parameters(
                            paramLabel = "OUTPUT",
                            arity = "0..1",
                            description = "The output (default: all outputs with dead letters).")
                    @Nullable
                    String output)
            throws IOException {
        List<String> outputs = output == null ? options.outputs() : List.of(output);
        if (outputs.isEmpty()) {
            System.err.println("millrace: no dead letters in " + options.directory());
        }
        int code = 0;
        for (String each : outputs) {
            // Names those that have some if this one has none.
            var unused = options.files(each);
            looked(options, each);
            Answer answer = ControlClient.change(options.data(), "dead-letters retry " + each);
            System.out.print(answer.text());
            code = Math.max(code, answer.code());
        }
        System.out.flush();
        return code;
    }

    @Command(
            name = "drop",
            description =
                    "Delete the dead letters of an output. The service deletes the oldest by itself (deadLetterSize).")
    int drop(@Mixin Options options, @Parameters(paramLabel = "OUTPUT", description = "The output.") String output)
            throws IOException {
        List<Path> files = options.files(output);
        if (DataDirectory.owner(options.data()) != null) {
            // It may write a dead letter at this moment.
            Answer answer = ControlClient.change(options.data(), "dead-letters drop " + output);
            System.err.print("millrace: " + answer.text());
            looked(options, output);
            return answer.code();
        }
        List<String> deleted = new ArrayList<>();
        for (Path file : files) {
            Files.delete(file);
            deleted.add(file.toString());
        }
        looked(options, output);
        System.err.println("millrace: deleted " + String.join(", ", deleted));
        return 0;
    }

    private static void each(Path file, Visitor visitor) throws IOException {
        long number = 0;
        try (Stream<String> lines = Files.lines(file, StandardCharsets.UTF_8)) {
            for (String line : (Iterable<String>) lines::iterator) {
                number++;
                try {
                    visitor.accept(DeadLetter.parse(line));
                } catch (IOException e) {
                    // The service writes whole lines; it may have been killed within one.
                    System.err.printf("millrace: %s, line %d is no dead letter: %s%n", file, number, e.getMessage());
                }
            }
        }
    }
}
