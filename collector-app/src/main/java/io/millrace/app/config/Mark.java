package io.millrace.app.config;

/**
 * A place in the configuration.
 *
 * @param source the file, or the option
 * @param line from 1; 0 if it is about the source as a whole
 * @param column from 1; 0 if it is about the source as a whole
 */
public record Mark(String source, int line, int column) {
    static Mark of(String source) {
        return new Mark(source, 0, 0);
    }

    /** True for a place in a file. */
    public boolean isPlace() {
        return line > 0;
    }

    /** True for an option of the command line. */
    public boolean isFlag() {
        return source.startsWith("--");
    }

    /** {@code FILE:LINE:COLUMN}, as editors and compilers write it. */
    @Override
    public String toString() {
        return isPlace() ? source + ":" + line + ":" + column : source;
    }
}
