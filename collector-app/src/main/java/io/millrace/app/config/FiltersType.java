package io.millrace.app.config;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A mapping of names to filter expressions. */
final class FiltersType extends TreeType<Map<String, Expression>> {
    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,63}");

    FiltersType() {
        super("FILTERS", "a mapping of names to conditions, such as denies: 'fields.action == \"deny\"'");
    }

    /** Only the default of a setting is text: an empty one. */
    @Override
    public Map<String, Expression> parse(String text) {
        return text.isEmpty() ? Map.of() : super.parse(text);
    }

    @Override
    @Nullable
    Map<String, Expression> bind(Tree tree, TreeBinding.Complaints complaints) {
        if (tree instanceof Tree.Scalar scalar && scalar.empty()) {
            return Map.of();
        }
        if (!(tree instanceof Tree.Mapping mapping)) {
            complaints.about(tree, "accepts " + takes() + ", not " + Tree.describe(tree));
            return null;
        }
        Map<String, Expression> filters = new LinkedHashMap<>();
        for (Tree.Member member : mapping.members()) {
            bind(member, filters, complaints);
        }
        return filters;
    }

    private static void bind(Tree.Member member, Map<String, Expression> filters, TreeBinding.Complaints complaints) {
        String name = member.key();
        if (!NAME.matcher(name).matches()) {
            complaints.add(
                    member.mark(),
                    "a name has up to 64 letters, digits, '_' and '-', and begins with a letter, not '" + name + "'");
        } else if (filters.containsKey(name)) {
            complaints.add(member.mark(), "'" + name + "' is there twice");
        } else if (!(member.value() instanceof Tree.Scalar scalar)) {
            complaints.about(
                    member.value(),
                    "'" + name + "' accepts " + ConfigTypes.EXPRESSION.takes() + ", not "
                            + Tree.describe(member.value()));
        } else {
            Expression expression = TreeBinding.text(
                    ConfigTypes.EXPRESSION, scalar, (mark, text) -> complaints.add(mark, "'" + name + "': " + text));
            if (expression != null) {
                filters.put(name, expression);
            }
        }
    }
}
