package io.millrace.app.sink.file;

import io.millrace.app.config.OutputConfig;
import io.millrace.app.config.Problem;
import io.millrace.app.sink.name.NamePattern;
import io.millrace.app.sink.name.NameTemplate;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Finder of {@code file} outputs whose paths can name the same file. Any thread. */
public final class FileOverlaps {
    /** The maximum number of overlapping outputs in a warning. */
    private static final int MAX_LISTED = 3;

    private FileOverlaps() {}

    /** An output and its possible files. */
    private record Files(OutputConfig output, List<NamePattern> names) {
        boolean overlaps(Files other) {
            return names.stream().anyMatch(mine -> other.names.stream().anyMatch(mine::overlaps));
        }

        /** True if both have the same path without fields, which is reported as an error instead. */
        boolean haveSamePath(Files other) {
            Path file = output.type().ownFile(output);
            return file != null && file.equals(other.output.type().ownFile(other.output));
        }
    }

    /**
     * A warning for each output that can write to a file of an earlier output.
     *
     * @param resolved resolves a path: absolute, without symbolic links, as far as it exists
     */
    public static List<Problem> warnings(List<OutputConfig> outputs, UnaryOperator<Path> resolved) {
        List<Problem> warnings = new ArrayList<>();
        List<Files> before = new ArrayList<>();
        for (OutputConfig output : outputs) {
            if (output.type() instanceof FileOutput) {
                Files files = new Files(output, names(path(output), resolved));
                List<String> others = before.stream()
                        .filter(other -> !files.haveSamePath(other) && files.overlaps(other))
                        .limit(MAX_LISTED + 1)
                        .map(other -> "output '" + other.output.name() + "' (path '" + path(other.output) + "')")
                        .toList();
                if (!others.isEmpty()) {
                    warnings.add(warning(output, others));
                }
                before.add(files);
            }
        }
        return warnings;
    }

    private static Problem warning(OutputConfig output, List<String> others) {
        String listed = others.size() > MAX_LISTED
                ? String.join(", ", others.subList(0, MAX_LISTED)) + " and more"
                : String.join(", ", others);
        String text = "path '" + path(output) + "' can name the same file as " + listed
                + "; a file belongs to one output, so give each a directory of its own";
        return Problem.of(output.mark(), "outputs." + output.name(), text);
    }

    private static NameTemplate path(OutputConfig output) {
        return output.settings().get(FileOutput.PATH);
    }

    /** All possible names of a path's files. The directory may be a symbolic link, and so may a file with a constant name. */
    private static List<NamePattern> names(NameTemplate template, UnaryOperator<Path> resolved) {
        String text = Path.of(template.toString()).normalize().toString();
        int brace = text.indexOf('{');
        int begin = text.lastIndexOf('/', brace < 0 ? text.length() : brace) + 1;
        Path directory = Path.of(text.substring(0, begin)).toAbsolutePath().normalize();
        NameTemplate rest = NameTemplate.parse(text.substring(begin));
        Set<Path> directories = new LinkedHashSet<>(List.of(directory, resolved.apply(directory)));
        List<NamePattern> names = new ArrayList<>();
        for (Path each : directories) {
            String beginning = each.getNameCount() == 0 ? "/" : each + "/";
            names.add(rest.addTo(new NamePattern().text(beginning), false));
            if (rest.isOfMessages()) {
                names.add(rest.addTo(new NamePattern().text(beginning), true));
            }
        }
        if (rest.isConstant()) {
            Path file = resolved.apply(directory.resolve(rest.toString()));
            names.add(new NamePattern().text(file.toString()));
        }
        return names;
    }
}
