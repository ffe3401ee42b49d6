package io.millrace.message;

import io.millrace.internal.edit.AddressPseudonyms;
import io.millrace.internal.edit.Redaction;
import io.millrace.internal.edit.RemoveField;
import io.millrace.internal.edit.RenameField;
import io.millrace.internal.edit.SetField;
import io.millrace.internal.edit.Truncation;
import org.jspecify.annotations.Nullable;

/**
 * An edit of messages on their way to an output: of their bytes, or of fields alone. The journal keeps messages as they came.
 * Immutable: threads can share it. All edits come from the methods of this interface. Each method throws an {@link
 * IllegalArgumentException} that names the argument that is invalid.
 */
public interface Edit {
    /** Kinds of text that are often redacted. */
    enum Preset {
        /** Numbers of payment cards: 13 to 19 digits, also with blanks or dashes between, whose check digit is right (Luhn). */
        CARD_NUMBERS,
        /** E-mail addresses. */
        EMAIL_ADDRESSES,
        /** Values of passwords, tokens and keys, as in {@code password=x} and {@code Authorization: Bearer x}. */
        SECRETS
    }

    /**
     * Replaces what a regular expression matches.
     *
     * @param expression in RE2 syntax
     * @param with the replacement of each match, in which {@code $1} is its first group and {@code $$} a dollar sign; null for
     *     {@code ***}
     * @param field the field in which it applies; null for the whole message
     */
    static Edit redact(String expression, @Nullable String with, @Nullable String field) {
        return Redaction.of(expression, with, field);
    }

    /** Replaces a known kind of text; otherwise as {@link #redact(String, String, String)}. */
    static Edit redact(Preset preset, @Nullable String with, @Nullable String field) {
        return Redaction.of(preset, with, field);
    }

    /**
     * Replaces IP addresses by pseudonyms such as {@code ip-0f3c…}: the same one for the same address and key.
     *
     * @param key a secret of 16 characters or more
     * @param field the field in which it applies; null for the whole message
     */
    static Edit pseudonyms(String key, @Nullable String field) {
        return AddressPseudonyms.of(key, field);
    }

    /**
     * Truncates a message, or a field of it.
     *
     * @param field null for the whole message
     * @param maxBytes its maximum length
     */
    static Edit truncate(@Nullable String field, int maxBytes) {
        return Truncation.of(field, maxBytes);
    }

    /**
     * Sets a field of the header or a value in the body, which may be a new one.
     *
     * @param field a field of the header, or {@code fields.NAME}
     * @param template the value, with fields in braces; an absent one is a dash
     */
    static Edit set(String field, String template) {
        return SetField.of(field, template);
    }

    /** Renames a value in the body. */
    static Edit rename(String field, String to) {
        return RenameField.of(field, to);
    }

    /** Removes a field of the header, or a value in the body or in the structured data. */
    static Edit remove(String field) {
        return RemoveField.of(field);
    }

    /** True if it changes fields and not the bytes of the message, so that the format {@code raw} does not show it. */
    boolean isOfFields();
}
