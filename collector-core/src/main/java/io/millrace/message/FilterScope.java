package io.millrace.message;

import io.millrace.internal.filter.FileList;
import io.millrace.internal.filter.Node;
import io.millrace.internal.filter.References;
import org.jspecify.annotations.Nullable;

/** What an expression may refer to: files of this host with {@code file("…")}, and named filters with {@code filter(…)}. Immutable. */
public final class FilterScope {
    /** Refers to nothing. */
    public static final FilterScope NONE = new FilterScope(null, Files.REFUSED);

    /** Files of this host; no named filters. */
    public static final FilterScope FILES = new FilterScope(null, Files.READ);

    /** For checking the syntax: every reference is accepted, and no file is read. The filter must not be used. */
    public static final FilterScope SYNTAX = new FilterScope(null, Files.IGNORED);

    private enum Files {
        REFUSED,
        READ,
        IGNORED
    }

    private final @Nullable NamedFilters filters;
    private final Files files;

    private FilterScope(@Nullable NamedFilters filters, Files files) {
        this.filters = filters;
        this.files = files;
    }

    /** A copy with named filters. They may refer to files even where the expression may not. */
    public FilterScope with(NamedFilters named) {
        return new FilterScope(named, files);
    }

    /** What the parser asks. */
    References references() {
        return new References() {
            @Override
            public Node named(String name) {
                if (files == Files.IGNORED) {
                    return Filter.ALL.root();
                }
                if (filters == null) {
                    throw new IllegalArgumentException("there are no named filters here; the section filters of the"
                            + " configuration defines them, for its outputs and for the admin page");
                }
                return filters.find(name).root();
            }

            @Override
            public <T> FileList<T> list(String path, FileList.Parser<T> parser) {
                return switch (files) {
                    case READ -> FileList.open(path, parser);
                    case IGNORED -> FileList.empty(parser);
                    case REFUSED ->
                        throw new IllegalArgumentException(
                                "files cannot be named here; define a filter with the list in the"
                                        + " section filters of the configuration, and write filter(NAME)");
                };
            }
        };
    }
}
