package io.millrace.app.config;

import io.millrace.internal.text.NearestName;
import io.millrace.message.Edit;
import io.millrace.setting.SettingTypes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The edits of an output: a list of mappings, each with one edit and its settings. */
final class EditsType extends TreeType<List<Edit>> {
    EditsType() {
        super("LIST", "a list of edits such as - redact: {pattern: 'password=\\S+', with: 'password=***'}");
    }

    @Override
    void secrets(Tree tree, Consumer<String> found) {
        if (tree instanceof Tree.Sequence sequence) {
            sequence.items().forEach(item -> secrets(item, found));
        } else if (tree instanceof Tree.Mapping mapping) {
            for (Tree.Member member : mapping.members()) {
                if (hides(member.key())) {
                    TreeBinding.allOf(member.value(), found);
                } else {
                    secrets(member.value(), found);
                }
            }
        }
    }

    @Override
    public boolean hides(String key) {
        return key.equals(EditKind.KEY);
    }

    @Override
    @Nullable
    List<Edit> bind(Tree tree, TreeBinding.Complaints complaints) {
        if (!(tree instanceof Tree.Sequence sequence)) {
            complaints.about(tree, "accepts " + takes() + ", not " + Tree.describe(tree));
            return null;
        }
        List<Edit> edits = new ArrayList<>();
        for (Tree item : sequence.items()) {
            Edit edit = edit(item, complaints);
            if (edit != null) {
                edits.add(edit);
            }
        }
        return edits.size() == sequence.items().size() ? List.copyOf(edits) : null;
    }

    private @Nullable Edit edit(Tree item, TreeBinding.Complaints complaints) {
        if (item instanceof Tree.Broken) {
            return null;
        }
        if (!(item instanceof Tree.Mapping mapping) || mapping.members().size() != 1) {
            complaints.add(item.mark(), "accepts " + takes() + "; one edit per item");
            return null;
        }
        Tree.Member member = mapping.members().get(0);
        EditKind kind = EditKind.of(member.key());
        if (kind == null) {
            complaints.add(
                    member.mark(),
                    "accepts the edit " + SettingTypes.either(EditKind.keys()) + ", not '" + member.key() + "'"
                            + NearestName.hint(member.key(), EditKind.keys()));
            return null;
        }
        Map<String, String> settings = settings(kind, member.value(), complaints);
        if (settings == null) {
            return null;
        }
        try {
            return kind.edit(settings);
        } catch (IllegalArgumentException e) {
            complaints.add(member.mark(), ": " + kind.key() + ": " + e.getMessage());
            return null;
        }
    }

    private static @Nullable Map<String, String> settings(EditKind kind, Tree tree, TreeBinding.Complaints complaints) {
        String takes = ": " + kind.key() + " accepts ";
        if (!(tree instanceof Tree.Mapping mapping)) {
            complaints.about(tree, takes + "a mapping with " + SettingTypes.either(kind.settings()));
            return null;
        }
        Map<String, String> settings = new HashMap<>();
        for (Tree.Member member : mapping.members()) {
            String key = member.key();
            if (!kind.settings().contains(key)) {
                complaints.add(
                        member.mark(),
                        takes + SettingTypes.either(kind.settings()) + ", not '" + key + "'"
                                + NearestName.hint(key, kind.settings()));
                return null;
            }
            if (!(member.value() instanceof Tree.Scalar scalar)) {
                if (!(member.value() instanceof Tree.Broken)) {
                    complaints.add(member.mark(), takes + "a text for '" + key + "'");
                }
                return null;
            }
            if (settings.put(key, scalar.text()) != null) {
                complaints.add(member.mark(), ": " + kind.key() + " has '" + key + "' twice");
                return null;
            }
        }
        return settings;
    }
}
