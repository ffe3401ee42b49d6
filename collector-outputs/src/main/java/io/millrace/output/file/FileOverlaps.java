package io.millrace.output.file;

import io.millrace.output.internal.name.NamePattern;
import io.millrace.output.internal.name.NameTemplate;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Finder of outputs whose paths can name the same file: see {@link FileSettings#overlaps}. Any thread. */
final class FileOverlaps {
    private static final int MAX_LISTED = 3;

    private FileOverlaps() {}

    private record Files(String output, FileSettings settings, List<NamePattern> names) {
        boolean overlaps(Files other) {
            return names.stream().anyMatch(mine -> other.names.stream().anyMatch(mine::overlaps));
        }

        /** True if both have the same path without fields, which is reported as an error instead. */
        boolean haveSamePath(Files other) {
            Path file = settings.ownFile();
            return file != null && file.equals(other.settings.ownFile());
        }
    }

    static Map<String, String> warnings(Map<String, FileSettings> outputs, UnaryOperator<Path> resolved) {
        Map<String, String> warnings = new LinkedHashMap<>();
        List<Files> before = new ArrayList<>();
        outputs.forEach((name, settings) -> {
            Files files = new Files(name, settings, names(settings.template(), resolved));
            List<String> others = before.stream()
                    .filter(other -> !files.haveSamePath(other) && files.overlaps(other))
                    .limit(MAX_LISTED + 1)
                    .map(other -> "output '" + other.output + "' (path '" + other.settings.template() + "')")
                    .toList();
            if (!others.isEmpty()) {
                String listed = others.size() > MAX_LISTED
                        ? String.join(", ", others.subList(0, MAX_LISTED)) + " and more"
                        : String.join(", ", others);
                warnings.put(
                        name,
                        "path '" + settings.template() + "' can name the same file as " + listed
                                + "; a file belongs to one output, so give each a directory of its own");
            }
            before.add(files);
        });
        return warnings;
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
