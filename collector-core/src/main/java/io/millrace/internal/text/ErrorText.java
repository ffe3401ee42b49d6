package io.millrace.internal.text;

import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Messages of exceptions, for people. */
public final class ErrorText {
    private ErrorText() {}

    /** The message of an exception, with its class for file errors: their message is only the name of the file. */
    public static String of(Throwable e) {
        if (e instanceof FileSystemException file && file.getReason() == null) {
            return file.getFile()
                    + (e instanceof AccessDeniedException
                            ? ": permission denied"
                            : e instanceof NoSuchFileException
                                    ? ": it is not there"
                                    : e instanceof FileAlreadyExistsException
                                            ? ": it is a file already"
                                            : ": " + e.getClass().getSimpleName());
        }
        return e.getMessage() == null ? e.toString() : e.getMessage();
    }
}
