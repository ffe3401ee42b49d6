package io.millrace.output.file;

import io.millrace.output.internal.FilePaths;
import io.millrace.output.internal.name.NameTemplate;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.regex.Pattern;

/**
 * Registry of files and their outputs in this process. A file has one writer: otherwise a failed write could remove
 * lines of another output. An output whose path has no fields owns its files from its creation, so no message can
 * select them for another. Any thread.
 */
final class FileClaims {
    /** One instance, because file locks belong to the process. */
    static final FileClaims OF_PROCESS = new FileClaims();

    /** Claims by absolute path and by file key. */
    private final Map<Object, Object> owners = new HashMap<>();

    /** Open files with names from messages. */
    private final Map<Path, OpenFile> chosen = new HashMap<>();

    /** Weak references, because outputs of a checked configuration are never closed. */
    private final Map<Object, Pattern> reserved = new WeakHashMap<>();

    FileClaims() {}

    /**
     * Claims the files of an output's path if it has no fields. If another output has opened such a file because of a
     * message, it is closed, and that output then finds it claimed.
     */
    void reserve(Object output, NameTemplate template) {
        if (template.isOfMessages()) {
            return;
        }
        Pattern pattern = pattern(template);
        List<OpenFile> open;
        synchronized (this) {
            reserved.put(output, pattern);
            open = List.copyOf(chosen.values());
        }
        for (OpenFile file : open.stream()
                .filter(it -> matches(
                        pattern, it.path(), FilePaths.resolved(it.path()).toString()))
                .toList()) {
            try {
                file.close();
            } catch (IOException e) {
                // The file is closed, and its output reopens it if allowed.
            }
        }
    }

    /** True if the path belongs to another output. */
    boolean isReserved(Path path, Object output) {
        // Before the lock, because a file system may hang.
        String real = FilePaths.resolved(path).toString();
        synchronized (this) {
            return reserved.entrySet().stream()
                    .anyMatch(each -> each.getKey() != output && matches(each.getValue(), path, real));
        }
    }

    private static boolean matches(Pattern pattern, Path path, String real) {
        return pattern.matcher(real).matches()
                || pattern.matcher(path.toAbsolutePath().normalize().toString()).matches();
    }

    /** Claims a path or a file; returns false if another output has it. */
    synchronized boolean claim(Object file, Object output) {
        Object owner = owners.putIfAbsent(file, output);
        return owner == null || owner == output;
    }

    /** Adds an open file with a name from messages; returns false if another output claimed it meanwhile. */
    boolean opened(OpenFile file, Object output) {
        synchronized (this) {
            chosen.put(file.path(), file);
        }
        // In this order, so that a later claim finds the open file and closes it.
        return !isReserved(file.path(), output);
    }

    synchronized void release(Object file, Object output) {
        owners.remove(file, output);
    }

    synchronized void closed(OpenFile file) {
        chosen.remove(file.path(), file);
    }

    synchronized void releaseAll(Object output) {
        reserved.remove(output);
        owners.values().removeIf(owner -> owner == output);
    }

    /** A pattern of a template's absolute names; the directory before the first field may be a link. */
    private static Pattern pattern(NameTemplate template) {
        String directory = FilePaths.resolved(Path.of(template.directory())).toString();
        String beginning = directory.endsWith("/") ? directory : directory + "/";
        return Pattern.compile(
                Pattern.quote(beginning) + template.belowDirectory().regex());
    }
}
