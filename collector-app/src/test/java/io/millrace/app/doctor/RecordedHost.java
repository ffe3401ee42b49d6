package io.millrace.app.doctor;

import io.millrace.app.doctor.host.Host;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A host that was recorded: its files under a root, what tools printed under {@code tools/TOOL/ARGUMENTS.txt} ({@code .err} if
 * it failed). What one tree does not have is in the next; a file {@code .absent} says that a directory is nowhere.
 */
class RecordedHost implements Host {
    private static final Path HOSTS = Path.of("src", "test", "resources", "doctor");
    private static final String ABSENT = ".absent";

    private final List<Path> trees;

    RecordedHost(String... names) {
        trees = Arrays.stream(names).map(HOSTS::resolve).toList();
    }

    private @Nullable Path find(String path) {
        String relative = path.substring(1);
        for (Path tree : trees) {
            if (isAbsent(tree, tree.resolve(relative))) {
                return null;
            }
            if (Files.exists(tree.resolve(relative))) {
                return tree.resolve(relative);
            }
        }
        return null;
    }

    private static boolean isAbsent(Path tree, Path path) {
        Path directory = path;
        while (directory != null && !directory.equals(tree)) {
            if (Files.exists(directory.resolve(ABSENT))) {
                return true;
            }
            directory = directory.getParent();
        }
        return false;
    }

    @Override
    public Answer read(String path) {
        Path file = find(path);
        try {
            return file == null || Files.isDirectory(file)
                    ? Answer.missing(path + " is not there")
                    : Answer.of(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public List<String> list(String path) {
        TreeSet<String> names = new TreeSet<>();
        for (Path tree : trees) {
            Path directory = tree.resolve(path.substring(1));
            if (Files.isDirectory(directory)) {
                try (Stream<Path> entries = Files.list(directory)) {
                    entries.forEach(it -> names.add(it.getFileName().toString()));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
        names.removeIf(it -> find(path + "/" + it) == null);
        return List.copyOf(names);
    }

    @Override
    public @Nullable String link(String path) {
        return read(path).text();
    }

    @Override
    public Answer run(String tool, String... arguments) {
        String name = String.join("_", arguments).replaceAll("[^A-Za-z0-9.,=+-]", "_");
        if (find("/tools/" + tool) == null) {
            return Answer.missing(tool + " is not installed");
        }
        Answer output = read("/tools/" + tool + "/" + name + ".txt");
        Answer error = read("/tools/" + tool + "/" + name + ".err");
        if (output.text() == null && error.text() == null) {
            throw new IllegalStateException("nobody recorded " + tool + "/" + name);
        }
        return output.text() == null
                ? Answer.failed(tool + ": " + String.valueOf(error.text()).strip())
                : output;
    }

    @Override
    public Path nearest(Path directory) {
        Path path = directory.toAbsolutePath().normalize();
        while (path.getParent() != null && find(path.toString()) == null) {
            path = path.getParent();
        }
        return path;
    }

    @Override
    public WriteSpeed writeTest(Path directory) throws IOException {
        throw new IOException("a recorded host is not written to");
    }
}
