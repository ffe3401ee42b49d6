package io.millrace.output.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The mark of a file that an output created under a name from messages or a date: the extended attribute {@code
 * user.millrace.output} with the output's name. It proves that the file is a log of this output, and not an archive, a
 * system file or a file of another program. Rotated and compressed files keep it; no message can name one of them.
 */
final class FileMark {
    private static final String NAME = "millrace.output";
    private static final int MAX_BYTES = 256;
    private static final Pattern ARCHIVE = Pattern.compile(".*\\.(gz|zst|bz2|xz|unfinished)");

    enum Found {
        /** It exists. */
        OWNED,
        /** It does not exist, or belongs to another output. */
        NOT_OWNED,
        /** The file system does not support marks. */
        UNKNOWN
    }

    private FileMark() {}

    static Found of(Path file, String output) throws IOException {
        UserDefinedFileAttributeView view = Files.getFileAttributeView(file, UserDefinedFileAttributeView.class);
        if (view == null) {
            return Found.UNKNOWN;
        }
        try {
            if (!view.list().contains(NAME)) {
                boolean kept = Files.getFileStore(file).supportsFileAttributeView(UserDefinedFileAttributeView.class);
                return kept ? Found.NOT_OWNED : Found.UNKNOWN;
            }
            return read(view).equals(output) ? Found.OWNED : Found.NOT_OWNED;
        } catch (FileSystemException e) {
            return unknown(e);
        }
    }

    private static Found unknown(FileSystemException e) throws FileSystemException {
        if (String.valueOf(e.getReason()).toLowerCase(Locale.ROOT).contains("not supported")) {
            return Found.UNKNOWN;
        }
        throw e;
    }

    /** Marks a new file, if the file system supports it. */
    static void set(Path file, String output) throws IOException {
        UserDefinedFileAttributeView view = Files.getFileAttributeView(file, UserDefinedFileAttributeView.class);
        if (view != null) {
            try {
                view.write(NAME, ByteBuffer.wrap(output.getBytes(StandardCharsets.UTF_8)));
            } catch (FileSystemException e) {
                var unused = unknown(e);
            }
        }
    }

    /** Copies the mark, if there is one, to the file that will replace this one. */
    static void copy(Path from, Path to) throws IOException {
        UserDefinedFileAttributeView view = Files.getFileAttributeView(from, UserDefinedFileAttributeView.class);
        if (view != null) {
            try {
                if (view.list().contains(NAME)) {
                    set(to, read(view));
                }
            } catch (FileSystemException e) {
                var unused = unknown(e);
            }
        }
    }

    private static String read(UserDefinedFileAttributeView view) throws IOException {
        ByteBuffer value = ByteBuffer.allocate(MAX_BYTES);
        view.read(NAME, value);
        return new String(value.array(), 0, value.position(), StandardCharsets.UTF_8);
    }

    /** True if the name looks like an archive. Without marks such a file is not written to. */
    static boolean isArchive(Path file) {
        return ARCHIVE.matcher(file.toString()).matches();
    }
}
