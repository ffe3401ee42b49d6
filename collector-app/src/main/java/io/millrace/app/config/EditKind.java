package io.millrace.app.config;

import io.millrace.internal.text.ByteSize;
import io.millrace.internal.text.NearestName;
import io.millrace.message.Edit;
import io.millrace.setting.SettingTypes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The kinds of edits, with the settings that each has in the file. */
enum EditKind {
    REDACT(EditKind.PATTERN, EditKind.PRESET, EditKind.WITH, EditKind.KEY, EditKind.FIELD) {
        @Override
        Edit edit(Map<String, String> settings) {
            String pattern = settings.get(PATTERN);
            String preset = settings.get(PRESET);
            String with = settings.get(WITH);
            String field = settings.get(FIELD);
            if ((pattern == null) == (preset == null)) {
                throw new IllegalArgumentException("accepts either a pattern or a preset");
            }
            if (IP_ADDRESSES.equals(preset)) {
                return pseudonyms(settings);
            }
            if (settings.containsKey(KEY)) {
                throw new IllegalArgumentException("accepts key only with preset " + IP_ADDRESSES);
            }
            return pattern != null
                    ? Edit.redact(pattern, with, field)
                    : Edit.redact(preset(String.valueOf(preset)), with, field);
        }
    },
    SET(EditKind.FIELD, EditKind.TO) {
        @Override
        Edit edit(Map<String, String> settings) {
            return Edit.set(required(settings, FIELD), required(settings, TO));
        }
    },
    RENAME(EditKind.FIELD, EditKind.TO) {
        @Override
        Edit edit(Map<String, String> settings) {
            return Edit.rename(required(settings, FIELD), required(settings, TO));
        }
    },
    REMOVE(EditKind.FIELD) {
        @Override
        Edit edit(Map<String, String> settings) {
            return Edit.remove(required(settings, FIELD));
        }
    },
    TRUNCATE(EditKind.FIELD, EditKind.BYTES) {
        @Override
        Edit edit(Map<String, String> settings) {
            String text = required(settings, BYTES);
            Long bytes = ByteSize.parse(text);
            if (bytes == null || bytes < 1 || bytes > MAX_BYTES) {
                throw new IllegalArgumentException("bytes accepts a size such as 8K, from 1 byte to "
                        + ByteSize.exact(MAX_BYTES) + ", not '" + text + "'");
            }
            return Edit.truncate(settings.get(FIELD), bytes.intValue());
        }
    };

    /** A setting whose value is secret. */
    static final String KEY = "key";

    private static final String PATTERN = "pattern";
    private static final String PRESET = "preset";
    private static final String WITH = "with";
    private static final String FIELD = "field";
    private static final String TO = "to";
    private static final String BYTES = "bytes";
    private static final String IP_ADDRESSES = "ip-addresses";
    private static final long MAX_BYTES = 1 << 20;

    @SuppressWarnings("ImmutableEnumChecker") // It is immutable.
    private final List<String> settings;

    EditKind(String... settings) {
        this.settings = List.of(settings);
    }

    /**
     * Creates an edit of this kind.
     *
     * @throws IllegalArgumentException if a setting is missing or invalid; the message names it
     */
    abstract Edit edit(Map<String, String> settings);

    /** The kind with a name; null if there is none. */
    static @Nullable EditKind of(String key) {
        return Arrays.stream(values())
                .filter(kind -> kind.key().equals(key))
                .findFirst()
                .orElse(null);
    }

    static List<String> keys() {
        return Arrays.stream(values()).map(EditKind::key).toList();
    }

    String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    List<String> settings() {
        return settings;
    }

    private static String required(Map<String, String> settings, String key) {
        String value = settings.get(key);
        if (value == null) {
            throw new IllegalArgumentException("has no '" + key + "'");
        }
        return value;
    }

    private static Edit pseudonyms(Map<String, String> settings) {
        String key = settings.get(KEY);
        if (key == null) {
            throw new IllegalArgumentException(
                    "preset " + IP_ADDRESSES + " has no 'key': a secret, such as ${file:/etc/millrace/pseudonyms.key}");
        }
        if (settings.containsKey(WITH)) {
            throw new IllegalArgumentException(
                    "preset " + IP_ADDRESSES + " accepts no 'with': it makes a pseudonym of each address");
        }
        return Edit.pseudonyms(key, settings.get(FIELD));
    }

    private static Edit.Preset preset(String name) {
        for (Edit.Preset preset : Edit.Preset.values()) {
            if (key(preset).equals(name)) {
                return preset;
            }
        }
        List<String> keys =
                Arrays.stream(Edit.Preset.values()).map(EditKind::key).collect(Collectors.toCollection(ArrayList::new));
        keys.add(IP_ADDRESSES);
        throw new IllegalArgumentException(
                "preset accepts " + SettingTypes.either(keys) + ", not '" + name + "'" + NearestName.hint(name, keys));
    }

    private static String key(Edit.Preset preset) {
        return preset.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
