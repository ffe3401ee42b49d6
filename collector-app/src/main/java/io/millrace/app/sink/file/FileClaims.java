package io.millrace.app.sink.file;

import io.millrace.app.sink.name.NameTemplate;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.regex.Pattern;

/**
 * Which output of this process writes to which file. A file has one writer: two would take back each other's lines when a write fails. An
 * output whose path has no fields of messages has its files from its first moment on, so that no message can name them for another. Any thread.
 */
final class FileClaims {
    /** There is one: locks of files are the process's too. */
    static final FileClaims OF_PROCESS = new FileClaims();

    /** By absolute path, and by what the file system knows a file by. */
    private final Map<Object, Object> owners = new HashMap<>();

    /** Open files whose names messages chose. */
    private final Map<Path, OpenFile> chosen = new HashMap<>();

    /** Outputs that are never closed, as those of a configuration that is only checked, go by themselves. */
    private final Map<Object, Pattern> reserved = new WeakHashMap<>();

    FileClaims() {}

    /**
     * Gives an output the files of its path, if messages have no part in their names. One of them that another output has open, because a message
     * named it, is closed: that output then finds it reserved.
     */
    void reserve(Object output, NameTemplate template) {
        if (template.isOfMessages()) {
            return;
        }
        Pattern pattern = pattern(template.toString());
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
                // It is closed, and its output opens it again if it may.
            }
        }
    }

    /** True if the path is that of another output. */
    boolean isReserved(Path path, Object output) {
        // Before the lock is taken: a file system may hang.
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

    /** Claims a path or a file; false if another output has it. */
    synchronized boolean claim(Object file, Object output) {
        Object owner = owners.putIfAbsent(file, output);
        return owner == null || owner == output;
    }

    /** A file is open whose name messages chose; false if another output reserved it while it was opened. */
    boolean opened(OpenFile file, Object output) {
        synchronized (this) {
            chosen.put(file.path(), file);
        }
        // In this order: whoever reserves it now finds it open, and closes it.
        return !isReserved(file.path(), output);
    }

    synchronized void release(Object file, Object output) {
        owners.remove(file, output);
    }

    synchronized void closed(OpenFile file) {
        chosen.remove(file.path(), file);
    }

    /** An output is closed. */
    synchronized void releaseAll(Object output) {
        reserved.remove(output);
        owners.values().removeIf(owner -> owner == output);
    }

    /** What the absolute names of a template look like, whose directory before the first field may be a link. */
    private static Pattern pattern(String template) {
        int brace = template.indexOf('{');
        int slash = template.lastIndexOf('/', brace < 0 ? template.length() : brace);
        String directory =
                FilePaths.resolved(Path.of(template.substring(0, slash + 1))).toString();
        String beginning = directory.endsWith("/") ? directory : directory + "/";
        return Pattern.compile(Pattern.quote(beginning)
                + NameTemplate.parse(template.substring(slash + 1)).regex());
    }
}
