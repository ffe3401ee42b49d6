package io.millrace.app.config;

import org.jspecify.annotations.Nullable;

/** A value that is one text. */
final class ScalarType<T> extends ValueType<T> {
    private final boolean secret;
    private final Parser<T> parser;

    /** Parser of the text. */
    @FunctionalInterface
    interface Parser<T> {
        /**
         * Parses a value; returns null if the text is invalid.
         *
         * @throws IllegalArgumentException if the text is invalid and there are details
         */
        @Nullable
        T parse(String text);
    }

    ScalarType(String label, String takes, boolean secret, Parser<T> parser) {
        super(label, takes);
        this.secret = secret;
        this.parser = parser;
    }

    @Override
    public boolean isSecret() {
        return secret;
    }

    @Override
    public T parse(String text) {
        T value = parser.parse(text);
        if (value == null) {
            throw notTaken("'" + text + "'");
        }
        return value;
    }
}
