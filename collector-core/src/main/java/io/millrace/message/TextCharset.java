package io.millrace.message;

import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The charset of an input's messages.
 *
 * @param name {@code auto}, or a charset of this JVM in lower case, such as {@code utf-8}, {@code windows-1252} or {@code gbk}
 */
public record TextCharset(String name) {
    /** UTF-8: nothing is converted. */
    public static final TextCharset UTF_8 = new TextCharset("utf-8");

    /** UTF-8 if it is valid, and windows-1252 otherwise. */
    public static final TextCharset AUTO = new TextCharset("auto");

    /** Checks the name. */
    public TextCharset {
        if (!name.equals("auto") && find(name) == null) {
            throw new IllegalArgumentException("there is no charset " + name);
        }
    }

    /** The charset of a name, in any case; null if this JVM has none. */
    public static @Nullable TextCharset of(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.equals("auto") || find(lower) != null ? new TextCharset(lower) : null;
    }

    private static @Nullable Charset find(String name) {
        try {
            // The name that people write is none of Java's.
            return name.equals("latin-1") ? StandardCharsets.ISO_8859_1 : Charset.forName(name);
        } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
            return null;
        }
    }

    /** The charset of this JVM; null for {@code auto}. */
    public @Nullable Charset charset() {
        return find(name);
    }

    @Override
    public String toString() {
        return name;
    }
}
