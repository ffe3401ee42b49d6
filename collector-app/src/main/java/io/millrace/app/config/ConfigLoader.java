package io.millrace.app.config;

import io.millrace.collector.CollectorSettings;
import io.millrace.internal.file.SmallFile;
import io.millrace.output.internal.secret.Secrets;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Loader of a configuration file, which reports all problems at once. */
public final class ConfigLoader {
    private static final int MAX_BYTES = 1 << 20;

    private final OutputTypes types;
    private final Map<String, String> environment;
    private final Secrets secrets;

    /**
     * Creates a loader.
     *
     * @param types the types of outputs
     * @param environment the environment variables, for {@code ${NAME}}
     */
    public ConfigLoader(OutputTypes types, Map<String, String> environment) {
        this(types, environment, Secrets.known());
    }

    ConfigLoader(OutputTypes types, Map<String, String> environment, Secrets secrets) {
        this.types = types;
        this.environment = Map.copyOf(environment);
        this.secrets = secrets;
    }

    /**
     * The configuration.
     *
     * @param file null for none: then all is as flags say, or as it is by default
     * @throws ConfigException if anything is wrong: it has all of it
     */
    public Config load(@Nullable Path file, Overrides overrides) {
        List<Problem> problems = new ArrayList<>();
        Tree tree = file == null ? new Tree.Mapping(Mark.of("defaults"), List.of()) : read(file, problems);
        return load(tree, overrides, problems);
    }

    /**
     * The configuration that a text describes.
     *
     * @param source what errors call the text
     * @throws ConfigException if anything is wrong: it has all of it
     */
    public Config load(String source, String text, Overrides overrides) {
        List<Problem> problems = new ArrayList<>();
        return load(yaml(source, text, problems), overrides, problems);
    }

    /**
     * The data directory that a file sets, whatever else is wrong with the file; null if it sets none.
     *
     * @throws ConfigException if the file cannot be read, or its data directory is no path
     */
    public @Nullable Path dataDirectory(Path file) {
        List<Problem> problems = new ArrayList<>();
        Tree tree = read(file, problems);
        if (!(tree instanceof Tree.Mapping mapping)) {
            throw new ConfigException(problems);
        }
        for (Tree.Member member : mapping.members()) {
            if (member.key().equals(CollectorSettings.DATA.key()) && member.value() instanceof Tree.Scalar value) {
                return value.empty() ? null : Path.of(value.text());
            }
        }
        return null;
    }

    private Config load(Tree tree, Overrides overrides, List<Problem> problems) {
        List<Problem> warnings = new ArrayList<>();
        Bound bound = new Binder(Config.description(types), problems, secrets, warnings).bind(overrides.apply(tree));
        if (problems.isEmpty()) {
            checkAddresses(bound, problems);
        }
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
        return Config.of(bound, types, secrets, warnings);
    }

    /** An error for each input that listens where an earlier one does: the start would fail. */
    private static void checkAddresses(Bound bound, List<Problem> problems) {
        Map<String, Bound> before = new LinkedHashMap<>();
        bound.get(Config.INPUTS).forEach((name, input) -> {
            StreamInputSettings.check(name, input, problems);
            InputListen listen = input.get(Config.LISTEN);
            before.entrySet().stream()
                    .filter(other -> listen.overlaps(other.getValue().get(Config.LISTEN)))
                    .findFirst()
                    .ifPresent(other -> problems.add(overlap(name, input, other.getKey(), other.getValue())));
            before.put(name, input);
        });
        Bound admin = bound.get(AdminSettings.SECTION);
        Optional<InputListen> adminListen =
                admin.get(AdminSettings.LISTEN).map(address -> InputListen.tcp(address.address()));
        before.entrySet().stream()
                .filter(input -> adminListen.isPresent()
                        && adminListen.get().overlaps(input.getValue().get(Config.LISTEN)))
                .forEach(input -> problems.add(Problem.of(
                        Objects.requireNonNull(input.getValue().mark(Config.LISTEN)),
                        Config.INPUTS.key() + "." + input.getKey() + "." + Config.LISTEN.key(),
                        "requires an address of its own, and admin HTTP listens on "
                                + admin.get(AdminSettings.LISTEN).orElseThrow().text() + " too")));
    }

    private static Problem overlap(String name, Bound input, String otherName, Bound other) {
        Mark mark = Objects.requireNonNull(input.mark(Config.LISTEN));
        Mark otherMark = Objects.requireNonNull(other.mark(Config.LISTEN));
        String coverage = Stream.of(input, other)
                .map(it -> it.get(Config.LISTEN).coverage())
                .distinct()
                .filter(it -> !it.isEmpty())
                .collect(Collectors.joining(", and "));
        return Problem.of(
                mark,
                Config.INPUTS.key() + "." + name + "." + Config.LISTEN.key(),
                "requires an address of its own, and input '" + otherName + "'"
                        + (otherMark.isPlace() ? " in line " + otherMark.line() : "") + " listens there too"
                        + (coverage.isEmpty() ? "" : ": " + coverage));
    }

    private Tree read(Path file, List<Problem> problems) {
        String source = file.toString();
        String text = text(file, problems);
        return text == null ? new Tree.Broken(Mark.of(source)) : yaml(source, text, problems);
    }

    private Tree yaml(String source, String text, List<Problem> problems) {
        return new YamlReader(source, text, new Substitution(environment, secrets::add), problems).read();
    }

    private static @Nullable String text(Path file, List<Problem> problems) {
        Mark mark = Mark.of(file.toString());
        String problem;
        try {
            byte[] bytes = SmallFile.head(file, MAX_BYTES + 1);
            if (bytes.length <= MAX_BYTES) {
                return decode(mark.source(), bytes, problems);
            }
            problem = "a configuration file has 1 MiB at most";
        } catch (NoSuchFileException e) {
            problem = "the file is not there";
        } catch (AccessDeniedException e) {
            problem = "no permission for the file";
        } catch (SmallFile.NotRegularException e) {
            problem = "this is " + e.kind() + "; the configuration accepts a regular file";
        } catch (IOException e) {
            problem = "the file cannot be read: " + e.getMessage();
        }
        problems.add(new Problem(mark, problem));
        return null;
    }

    private static @Nullable String decode(String source, byte[] bytes, List<Problem> problems) {
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(bytes.length);
        CoderResult result = decoder.decode(in, out, true);
        String text = out.flip().toString();
        if (result.isError()) {
            int line = 1 + (int) text.chars().filter(it -> it == '\n').count();
            int column = text.length() - text.lastIndexOf('\n');
            problems.add(new Problem(
                    new Mark(source, line, column),
                    String.format("byte 0x%02X is not UTF-8: save the file as UTF-8", bytes[in.position()])));
            return null;
        }
        return text.startsWith("\uFEFF") ? text.substring(1) : text;
    }
}
