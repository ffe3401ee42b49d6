package io.millrace.setting;

import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** A type whose values are written as one text. */
final class TextType<T> extends SettingType<T> {
    private final boolean secret;
    private final SettingTypes.Parser<T> parser;
    private final Predicate<T> valid;
    private final Function<T, String> format;
    private final UnaryOperator<String> hint;

    TextType(String label, String takes, boolean secret, SettingTypes.Parser<T> parser) {
        this(label, takes, secret, parser, value -> true, String::valueOf, text -> "");
    }

    /**
     * Creates a type.
     *
     * @param valid checks a value that a text says or a program gives
     * @param format how an invalid value is quoted
     * @param hint the end of the message for an invalid text, such as {@code ; did you mean 5m?}
     */
    TextType(
            String label,
            String takes,
            boolean secret,
            SettingTypes.Parser<T> parser,
            Predicate<T> valid,
            Function<T, String> format,
            UnaryOperator<String> hint) {
        super(label, takes);
        this.secret = secret;
        this.parser = parser;
        this.valid = valid;
        this.format = format;
        this.hint = hint;
    }

    @Override
    public boolean isSecret() {
        return secret;
    }

    @Override
    public T parse(String text) {
        T value = parser.parse(text);
        if (value == null || !valid.test(value)) {
            throw invalid("'" + text + "'" + hint.apply(text));
        }
        return value;
    }

    @Override
    public void check(T value) {
        if (value instanceof String text) {
            var unused = parse(text);
        } else if (!valid.test(value)) {
            throw invalid(format.apply(value));
        }
    }

    private IllegalArgumentException invalid(String found) {
        return secret
                ? new IllegalArgumentException("accepts " + takes() + "; what is given is not shown")
                : notTaken(found);
    }
}
