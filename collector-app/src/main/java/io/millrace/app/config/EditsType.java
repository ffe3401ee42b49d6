package io.millrace.app.config;

import io.millrace.edit.Redaction;
import io.millrace.edit.RedactionPreset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The edits of an output: a list of mappings, each with one edit and its settings. */
final class EditsType extends ValueType<List<Redaction>> {
    private static final String REDACT = "redact";
    private static final String PATTERN = "pattern";
    private static final String PRESET = "preset";
    private static final String WITH = "with";
    private static final String FIELD = "field";
    private static final List<String> SETTINGS = List.of(PATTERN, PRESET, WITH, FIELD);

    EditsType() {
        super("LIST", "a list of edits such as - redact: {pattern: 'password=\\S+', with: 'password=***'}");
    }

    /** Edits have no form in one text. */
    @Override
    public List<Redaction> parse(String text) {
        throw notTaken("'" + text + "'");
    }

    @Override
    @Nullable
    List<Redaction> bind(Tree tree, Complaints complaints) {
        if (!(tree instanceof Tree.Sequence sequence)) {
            if (!(tree instanceof Tree.Broken)) {
                complaints.add(tree.mark(), "takes " + takes() + ", not " + Tree.describe(tree));
            }
            return null;
        }
        List<Redaction> edits = new ArrayList<>();
        for (Tree item : sequence.items()) {
            Redaction edit = edit(item, complaints);
            if (edit != null) {
                edits.add(edit);
            }
        }
        return edits.size() == sequence.items().size() ? List.copyOf(edits) : null;
    }

    private @Nullable Redaction edit(Tree item, Complaints complaints) {
        if (item instanceof Tree.Broken) {
            return null;
        }
        if (!(item instanceof Tree.Mapping mapping) || mapping.members().size() != 1) {
            complaints.add(item.mark(), "takes " + takes() + "; one edit per item");
            return null;
        }
        Tree.Member member = mapping.members().get(0);
        if (!member.key().equals(REDACT)) {
            complaints.add(member.mark(), "takes the edit " + REDACT + ", not '" + member.key() + "'");
            return null;
        }
        Map<String, String> settings = settings(member.value(), complaints);
        if (settings == null) {
            return null;
        }
        try {
            return redaction(settings);
        } catch (IllegalArgumentException e) {
            complaints.add(member.mark(), ": " + REDACT + ": " + e.getMessage());
            return null;
        }
    }

    private static @Nullable Map<String, String> settings(Tree tree, Complaints complaints) {
        if (!(tree instanceof Tree.Mapping mapping)) {
            complaints.add(tree.mark(), ": redact takes a mapping of " + ValueTypes.either(SETTINGS));
            return null;
        }
        Map<String, String> settings = new HashMap<>();
        for (Tree.Member member : mapping.members()) {
            if (!SETTINGS.contains(member.key())) {
                complaints.add(
                        member.mark(),
                        ": redact takes " + ValueTypes.either(SETTINGS) + ", not '" + member.key() + "'");
                return null;
            }
            if (!(member.value() instanceof Tree.Scalar scalar)) {
                complaints.add(member.mark(), ": redact takes a text for '" + member.key() + "'");
                return null;
            }
            if (settings.put(member.key(), scalar.text()) != null) {
                complaints.add(member.mark(), ": redact has '" + member.key() + "' twice");
                return null;
            }
        }
        return settings;
    }

    private static Redaction redaction(Map<String, String> settings) {
        String pattern = settings.get(PATTERN);
        String preset = settings.get(PRESET);
        String with = settings.get(WITH);
        String field = settings.get(FIELD);
        if ((pattern == null) == (preset == null)) {
            throw new IllegalArgumentException("takes either a pattern or a preset");
        }
        return pattern != null
                ? Redaction.of(pattern, with == null ? Redaction.WITH : with, field)
                : Redaction.of(preset(String.valueOf(preset)), with, field);
    }

    private static RedactionPreset preset(String name) {
        return Arrays.stream(RedactionPreset.values())
                .filter(it -> key(it).equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("preset takes "
                        + ValueTypes.either(Arrays.stream(RedactionPreset.values())
                                .map(EditsType::key)
                                .collect(Collectors.toList()))
                        + ", not '" + name + "'"));
    }

    private static String key(RedactionPreset preset) {
        return preset.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
