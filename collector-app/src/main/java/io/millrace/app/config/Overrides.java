package io.millrace.app.config;

import io.millrace.setting.Section;
import io.millrace.setting.Setting;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Options of the command line that override the file. They are added to the file's tree before it is bound, so they are
 * checked like settings. Their texts are not substituted.
 */
public final class Overrides {
    private final List<Replacement> overrides = new ArrayList<>();

    /** The value of a key in a section, or in the file itself if the section is empty. */
    private record Replacement(String section, Tree.Member member) {}

    /** An option with the value of a setting. */
    public void set(String flag, Section section, Setting<?> setting, String text) {
        Mark mark = Mark.of(flag);
        overrides.add(new Replacement(section.key(), new Tree.Member(mark, setting.key(), Tree.Scalar.of(mark, text))));
    }

    /**
     * An option with addresses: they replace all inputs, and each address is the input's name.
     *
     * @param certificateFile the certificate of those on TLS, and on RELP; null if it was not given
     * @param keyFile its private key; null if it was not given
     */
    public void setInputs(
            String flag, List<String> addresses, @Nullable String certificateFile, @Nullable String keyFile) {
        Mark mark = Mark.of(flag);
        List<Tree.Member> inputs = new ArrayList<>();
        for (String address : addresses) {
            List<Tree.Member> input = new ArrayList<>();
            input.add(new Tree.Member(mark, Config.LISTEN.key(), Tree.Scalar.of(mark, address)));
            boolean onTls = address.startsWith("tls://") || address.startsWith("relp://");
            if (onTls && (certificateFile != null || keyFile != null)) {
                input.add(TlsInputSettings.member(mark, certificateFile, keyFile));
            }
            inputs.add(new Tree.Member(mark, address, new Tree.Mapping(mark, input)));
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
        // Anything but a mapping stays, and is reported later.
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
