package io.millrace.internal.filter;

/** What an expression refers to. */
public interface References {
    /**
     * The filter with a name.
     *
     * @throws IllegalArgumentException if there is none
     */
    Node named(String name);

    /**
     * A list in a file.
     *
     * @throws IllegalArgumentException if it cannot be read
     */
    <T> FileList<T> list(String path, FileList.Parser<T> parser);
}
