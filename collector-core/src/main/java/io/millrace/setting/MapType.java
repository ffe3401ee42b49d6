package io.millrace.setting;

import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** A mapping of names to texts, such as the properties of a client library. Created by {@link SettingTypes#textByName}. */
public final class MapType extends SettingType<Map<String, String>> {
    /** Names of secrets in client libraries: {@code ssl.key.password}, {@code sasl.jaas.config}. */
    private static final Pattern SECRET_KEY =
            Pattern.compile("password|passwd|secret|token|jaas|credential|\\.key$", Pattern.CASE_INSENSITIVE);

    private final boolean secret;
    private final Predicate<String> hidden;

    MapType(boolean secret, Predicate<String> hidden) {
        super("MAPPING", "a mapping of names to texts");
        this.secret = secret;
        this.hidden = hidden;
    }

    @Override
    public boolean isSecret() {
        return secret;
    }

    @Override
    public boolean hides(String key) {
        return secret || hidden.test(key) || SECRET_KEY.matcher(key).find();
    }

    /** The empty mapping of an empty text, which is the default of a setting; no other mapping is one text. */
    @Override
    public Map<String, String> parse(String text) {
        if (!text.isEmpty()) {
            throw notTaken("'" + text + "'");
        }
        return Map.of();
    }
}
