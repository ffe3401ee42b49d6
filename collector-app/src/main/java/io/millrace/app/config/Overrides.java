package io.millrace.app.config;

import java.util.ArrayList;
import java.util.List;

/**
 * What flags of the command line say instead of the file. They are put into the file's tree before it is bound, so
 * that they are checked as the file is; their texts are taken as they are, without substitution.
 */
public final class Overrides {
    private final List<Replacement> overrides = new ArrayList<>();

    /** A value for a key of a section, or of the file itself if that is empty. */
    private record Replacement(String section, Tree.Member member) {}

    /** A flag with the value of a setting. */
    public void set(String flag, Section section, Setting<?> setting, String text) {
        Mark mark = Mark.of(flag);
        overrides.add(new Replacement(section.key(), new Tree.Member(mark, setting.key(), Tree.Scalar.of(mark, text))));
    }

    /** A flag that names addresses: they replace all inputs, and each is its own name. */
    public void setInputs(String flag, List<String> addresses) {
        Mark mark = Mark.of(flag);
        List<Tree.Member> inputs = new ArrayList<>();
        for (String address : addresses) {
            Tree.Member listen = new Tree.Member(mark, Config.LISTEN.key(), Tree.Scalar.of(mark, address));
            inputs.add(new Tree.Member(mark, address, new Tree.Mapping(mark, List.of(listen))));
        }
        overrides.add(new Replacement("", new Tree.Member(mark, Config.INPUTS.key(), new Tree.Mapping(mark, inputs))));
    }

    Tree apply(Tree root) {
        Tree tree = root;
        for (Replacement each : overrides) {
            tree = apply(tree, each);
        }
        return tree;
    }

    private static Tree apply(Tree root, Replacement override) {
        if (!(root instanceof Tree.Mapping mapping)) {
            return root;
        }
        if (override.section().isEmpty()) {
            return with(mapping, override.member());
        }
        Tree section = mapping.members().stream()
                .filter(it -> it.key().equals(override.section()))
                .map(Tree.Member::value)
                .findFirst()
                .filter(it -> !(it instanceof Tree.Scalar scalar && scalar.empty()))
                .orElse(new Tree.Mapping(override.member().mark(), List.of()));
        // What is no mapping stays, to be said.
        return section instanceof Tree.Mapping inner
                ? with(mapping, new Tree.Member(inner.mark(), override.section(), with(inner, override.member())))
                : mapping;
    }

    private static Tree.Mapping with(Tree.Mapping mapping, Tree.Member member) {
        List<Tree.Member> members = new ArrayList<>(mapping.members());
        members.removeIf(it -> it.key().equals(member.key()));
        members.add(member);
        return new Tree.Mapping(mapping.mark(), members);
    }
}
