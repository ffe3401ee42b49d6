package io.millrace.app.config;

import io.millrace.internal.text.NearestName;
import io.millrace.output.internal.secret.Secrets;
import io.millrace.setting.Entry;
import io.millrace.setting.Section;
import io.millrace.setting.Setting;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Binder of a configuration file to the description of settings. It is strict: an unknown key is a problem. */
final class Binder {
    /** What other programs call a setting. */
    private static final Map<String, String> OF_OTHERS = Map.of(
            "bootstrapServers", "brokers",
            "bootstrap_servers", "brokers",
            "bootstrap.servers", "brokers",
            "server", "host",
            "target", "host",
            "file", "path",
            "filter", "where",
            "protocol", "transport",
            "rotate", "rotateAfter");

    private static final Map<String, String> ROTATIONS =
            Map.of("hourly", "1h", "daily", "1d", "weekly", "7d", "monthly", "30d");

    /** What other programs split an address to listen on into. */
    private static final Set<String> PARTS_OF_LISTEN =
            Set.of("type", "port", "protocol", "transport", "address", "host", "bind", "ip");

    private static final String LISTEN = "listen";

    private final Section root;
    private final List<Problem> problems;
    private final Secrets secrets;
    private final List<Problem> warnings;

    /**
     * Creates a binder.
     *
     * @param problems collects the problems
     * @param secrets collects the secrets
     * @param warnings collects the warnings
     */
    Binder(Section root, List<Problem> problems, Secrets secrets, List<Problem> warnings) {
        this.root = root;
        this.problems = problems;
        this.secrets = secrets;
        this.warnings = warnings;
    }

    /** The values; incomplete if there are problems. */
    Bound bind(Tree tree) {
        return section(root, "", tree);
    }

    private Bound section(Section section, String path, Tree tree) {
        Bound bound = new Bound(section, tree.mark());
        Map<String, Tree.Member> members = members(path, tree, mappingOf(section.keys()));
        if (members == null) {
            return bound;
        }
        for (Tree.Member member : members.values()) {
            if (!section.keys().contains(member.key())) {
                problems.add(new Problem(member.mark(), unknown(section, path, member.key(), member.value())));
            }
        }
        for (Entry entry : section.entries()) {
            Tree.Member member = members.get(entry.key());
            String entryPath = Bound.join(path, entry.key());
            if (entry instanceof Setting<?> setting) {
                setting(bound, setting, entryPath, member);
            } else {
                Tree inner = member == null ? new Tree.Mapping(tree.mark(), List.of()) : member.value();
                if (entry instanceof Section part) {
                    bound.put(part, section(part, entryPath, inner));
                } else if (entry instanceof NamedSections named) {
                    bound.put(named, named(named, entryPath, inner));
                }
            }
        }
        return bound;
    }

    private <T> void setting(Bound bound, Setting<T> setting, String path, Tree.@Nullable Member member) {
        if (member != null) {
            learn(setting, path, member.value());
            T value = TreeBinding.bind(
                    setting.type(), member.value(), (mark, text) -> problems.add(Problem.of(mark, path, text)));
            if (value != null) {
                bound.put(setting, value, member.value());
            }
        } else if (setting.isRequired()) {
            problems.add(Problem.of(
                    bound.mark(), path, "is missing; accepts " + setting.type().takes()));
        }
    }

    /** Secrets are registered before any message is created. */
    private void learn(Setting<?> setting, String path, Tree tree) {
        TreeBinding.secrets(setting.type(), tree, secrets::add);
        boolean shortSecret = setting.type().isSecret()
                && tree instanceof Tree.Scalar scalar
                && !scalar.empty()
                && !Secrets.canHide(scalar.text());
        if (shortSecret) {
            warnings.add(Problem.of(
                    tree.mark(),
                    path,
                    "is too short to be hidden where it is part of another text, such as an error of a server; at least "
                            + Secrets.MIN_LENGTH + " characters, or 6 digits, are"));
        }
    }

    private Map<String, Bound> named(NamedSections named, String path, Tree tree) {
        Map<String, Bound> sections = new LinkedHashMap<>();
        Map<String, Tree.Member> members = members(path, tree, "a mapping of names to settings");
        if (members == null) {
            return sections;
        }
        for (Tree.Member member : members.values()) {
            if (!named.isName(member.key())) {
                problems.add(Problem.of(
                        member.mark(), path, "a name has " + named.nameTakes() + ", not '" + member.key() + "'"));
                continue;
            }
            String innerPath = path + "." + member.key();
            // A missing setting is reported at the section's name, not at its first setting.
            Tree inner = member.value() instanceof Tree.Mapping mapping
                    ? new Tree.Mapping(member.mark(), mapping.members())
                    : member.value();
            Section kind = kind(named, innerPath, inner);
            if (kind != null) {
                sections.put(member.key(), section(kind, innerPath, inner));
            }
        }
        return Collections.unmodifiableMap(sections);
    }

    /** The section that a type selects; null, with a problem, if there is none. */
    private @Nullable Section kind(NamedSections named, String path, Tree tree) {
        Setting<String> type = named.type();
        if (type == null) {
            return named.kinds().get("");
        }
        if (!(tree instanceof Tree.Mapping) && !(tree instanceof Tree.Scalar scalar && scalar.empty())) {
            members(path, tree, mappingOf(List.of(type.key())));
            return null;
        }
        List<Tree.Member> members = tree instanceof Tree.Mapping mapping ? mapping.members() : List.of();
        Section justType = new Section("", "", List.of(type));
        Bound bound = new Bound(justType, tree.mark());
        setting(
                bound,
                type,
                path + "." + type.key(),
                members.stream()
                        .filter(it -> it.key().equals(type.key()))
                        .findFirst()
                        .orElse(null));
        String chosen = bound.find(type);
        return chosen == null ? null : named.kinds().get(chosen);
    }

    private static String mappingOf(List<String> keys) {
        return "a mapping of settings such as " + keys.get(0);
    }

    /** The members by key; null, with a problem, if this is not a mapping. */
    private @Nullable Map<String, Tree.Member> members(String path, Tree tree, String takes) {
        if (tree instanceof Tree.Scalar scalar && scalar.empty()) {
            return Map.of();
        }
        if (tree instanceof Tree.Broken) {
            return null;
        }
        if (!(tree instanceof Tree.Mapping mapping)) {
            problems.add(Problem.of(
                    tree.mark(),
                    path.isEmpty() ? "the file" : path,
                    "accepts " + takes + ", not " + Tree.describe(tree)));
            return null;
        }
        Map<String, Tree.Member> members = new LinkedHashMap<>();
        for (Tree.Member member : mapping.members()) {
            Tree.Member first = members.putIfAbsent(member.key(), member);
            if (first != null) {
                String where = first.mark().isPlace()
                        ? ", first in line " + first.mark().line()
                        : "";
                problems.add(Problem.of(
                        member.mark(),
                        path.isEmpty() ? "the file" : path,
                        "'" + member.key() + "' is there twice" + where));
            }
        }
        return members;
    }

    private String unknown(Section section, String path, String key, Tree value) {
        String what = "unknown setting '" + key + "'" + (path.isEmpty() ? "" : " in " + path);
        if (PARTS_OF_LISTEN.contains(key) && section.keys().contains(LISTEN)) {
            return what + "; the setting is " + LISTEN + ": " + (path.startsWith("inputs.") ? "udp://" : "")
                    + "ADDRESS:PORT";
        }
        String edit = OutputOptions.EDIT.key();
        if (EditKind.keys().contains(key) && section.keys().contains(edit)) {
            return what + "; did you mean " + edit + ": [" + key + ": {…}]?";
        }
        if (key.equals("tls") && section.keys().contains("transport")) {
            return what + "; did you mean transport: tls?";
        }
        String near = Objects.requireNonNullElse(OF_OTHERS.get(key), key);
        near = section.keys().contains(near) ? near : NearestName.of(key, section.keys());
        if (near != null) {
            String period = value instanceof Tree.Scalar scalar ? ROTATIONS.get(scalar.text()) : null;
            return what + "; did you mean " + near + (period == null ? "" : ": " + period) + "?";
        }
        String elsewhere = NamedSections.pathOf(root, key);
        // Settings of other types of outputs are not suggested.
        boolean otherKind = elsewhere != null && elsewhere.startsWith(path.replaceFirst("\\..*", "") + ".NAME.");
        return what
                + (elsewhere != null && !otherKind
                        ? "; did you mean " + elsewhere + "?"
                        : "; there are " + String.join(", ", section.keys()));
    }
}
