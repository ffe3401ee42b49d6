package io.millrace.app.config;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A value that is a mapping of texts to texts which are passed on, such as the properties of a client library. */
final class MapType extends ValueType<Map<String, String>> {
    /** Names client libraries give to what is not to be printed: {@code ssl.key.password}, {@code sasl.jaas.config}. */
    private static final Pattern SECRET_KEY =
            Pattern.compile("password|passwd|secret|token|jaas|credential|\\.key$", Pattern.CASE_INSENSITIVE);

    private final boolean secret;

    MapType(String label, String takes, boolean secret) {
        super(label, takes);
        this.secret = secret;
    }

    @Override
    public boolean isSecret() {
        return secret;
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
            if (!(tree instanceof Tree.Broken)) {
                complaints.add(tree.mark(), "takes " + takes() + ", not " + describe(tree));
            }
            return null;
        }
        Map<String, String> values = new LinkedHashMap<>();
        for (Tree.Member member : mapping.members()) {
            if (member.value() instanceof Tree.Scalar scalar && !scalar.empty()) {
                if (values.put(member.key(), scalar.text()) != null) {
                    complaints.add(member.mark(), "'" + member.key() + "' is there twice");
                }
            } else if (!(member.value() instanceof Tree.Broken)) {
                complaints.add(
                        member.value().mark(),
                        "takes a text for '" + member.key() + "', not " + describe(member.value()));
            }
        }
        return Collections.unmodifiableMap(values);
    }

    private String describe(Tree tree) {
        return secret && tree instanceof Tree.Scalar scalar && !scalar.empty() ? "a text" : Tree.describe(tree);
    }

    @Override
    boolean hides(String key) {
        return secret || SECRET_KEY.matcher(key).find();
    }
}
