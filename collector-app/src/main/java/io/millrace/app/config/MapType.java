package io.millrace.app.config;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A mapping of texts to texts, such as the properties of a client library. */
final class MapType extends ValueType<Map<String, String>> {
    /** Names of secrets in client libraries: {@code ssl.key.password}, {@code sasl.jaas.config}. */
    private static final Pattern SECRET_KEY =
            Pattern.compile("password|passwd|secret|token|jaas|credential|\\.key$", Pattern.CASE_INSENSITIVE);

    private final boolean secret;
    private final Predicate<String> hidden;

    /**
     * Creates a type.
     *
     * @param secret true if no value is printed
     * @param hidden names whose values are not printed, in addition to the usual names of secrets
     */
    MapType(String label, String takes, boolean secret, Predicate<String> hidden) {
        super(label, takes);
        this.secret = secret;
        this.hidden = hidden;
    }

    @Override
    public boolean isSecret() {
        return secret;
    }

    @Override
    void secrets(Tree tree, Consumer<String> found) {
        if (tree instanceof Tree.Mapping mapping) {
            mapping.members().stream()
                    .filter(member -> hides(member.key()))
                    .forEach(member -> allOf(member.value(), found));
        } else {
            allOf(tree, found);
        }
    }

    /** Only the default of a setting is text: an empty one. */
    @Override
    public Map<String, String> parse(String text) {
        if (!text.isEmpty()) {
            throw notTaken("'" + text + "'");
        }
        return Map.of();
    }

    @Override
    @Nullable
    Map<String, String> bind(Tree tree, Complaints complaints) {
        if (tree instanceof Tree.Scalar scalar && scalar.empty()) {
            return Map.of();
        }
        if (!(tree instanceof Tree.Mapping mapping)) {
            complaints.about(tree, "takes " + takes() + ", not " + describe(tree));
            return null;
        }
        Map<String, String> values = new LinkedHashMap<>();
        for (Tree.Member member : mapping.members()) {
            if (member.value() instanceof Tree.Scalar scalar && !scalar.empty()) {
                if (values.put(member.key(), scalar.text()) != null) {
                    complaints.add(member.mark(), "'" + member.key() + "' is there twice");
                }
            } else {
                complaints.about(
                        member.value(), "takes a text for '" + member.key() + "', not " + describe(member.value()));
            }
        }
        return Collections.unmodifiableMap(values);
    }

    /** The message does not quote the value, which may be a secret. */
    private static String describe(Tree tree) {
        return tree instanceof Tree.Scalar scalar && !scalar.empty() ? "a text" : Tree.describe(tree);
    }

    @Override
    boolean hides(String key) {
        return secret || hidden.test(key) || SECRET_KEY.matcher(key).find();
    }
}
