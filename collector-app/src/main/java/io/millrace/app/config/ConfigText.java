package io.millrace.app.config;

import io.millrace.internal.text.ForeignText;
import io.millrace.output.internal.secret.Secrets;
import io.millrace.setting.Entry;
import io.millrace.setting.MapType;
import io.millrace.setting.Section;
import io.millrace.setting.Setting;
import io.millrace.setting.SettingType;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Formatter of the effective settings as valid YAML: defaults are marked by a comment, secrets are redacted. */
public final class ConfigText {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9/][A-Za-z0-9/._+:-]*[A-Za-z0-9/._+-]|[A-Za-z0-9/]");

    private final StringBuilder out = new StringBuilder();
    private final Secrets secrets;

    private ConfigText(Secrets secrets) {
        this.secrets = secrets;
    }

    /** The YAML, with a line feed at its end. */
    public static String of(Config config) {
        ConfigText text = new ConfigText(config.secrets());
        text.section(config.all(), "");
        return text.out.toString();
    }

    private void section(Bound bound, String indent) {
        for (Entry entry : bound.section().entries()) {
            if (entry instanceof Setting<?> setting) {
                setting(bound, setting, indent);
            } else if (entry instanceof Section inner) {
                line(indent, inner.key() + ":");
                section(bound.get(inner), indent + "  ");
            } else if (entry instanceof NamedSections named) {
                named(named, bound.get(named), indent);
            }
        }
    }

    private void named(NamedSections named, Map<String, Bound> sections, String indent) {
        if (sections.isEmpty()) {
            line(indent, named.key() + ": {}  # default: " + named.whenNone().replace("`", ""));
            return;
        }
        line(indent, named.key() + ":");
        sections.forEach((name, bound) -> {
            line(indent + "  ", quoted(name) + ":");
            section(bound, indent + "    ");
        });
    }

    private void setting(Bound bound, Setting<?> setting, String indent) {
        Tree given = bound.given(setting);
        if (given != null) {
            given(setting, given, indent);
        } else if (setting.defaultText() == null) {
            line(indent, "# " + setting.key() + ":  # not set: " + setting.otherwise());
        } else if (setting.type() instanceof MapType) {
            line(indent, setting.key() + ": {}  # default");
        } else {
            line(indent, setting.key() + ": " + value(setting.defaultText()) + "  # default");
        }
    }

    private void given(Setting<?> setting, Tree given, String indent) {
        String key = setting.key();
        if (given instanceof Tree.Scalar scalar) {
            boolean hidden = scalar.hidden() || setting.type().isSecret();
            line(
                    indent,
                    key + ": "
                            + (scalar.empty()
                                    ? ""
                                    : given(
                                            hidden
                                                    ? Secrets.HIDDEN
                                                    : setting.type().shown(scalar.text()))));
        } else if (given instanceof Tree.Sequence sequence) {
            line(indent, key + ":");
            for (Tree item : sequence.items()) {
                line(
                        indent + "  ",
                        "- " + part(item, setting.type(), setting.type().isSecret()));
            }
        } else if (given instanceof Tree.Mapping mapping) {
            line(indent, key + ":" + (mapping.members().isEmpty() ? " {}" : ""));
            for (Tree.Member member : mapping.members()) {
                line(
                        indent + "  ",
                        quoted(member.key()) + ": "
                                + part(
                                        member.value(),
                                        setting.type(),
                                        setting.type().hides(member.key())));
            }
        }
    }

    private String part(Tree tree, SettingType<?> type, boolean secret) {
        if (tree instanceof Tree.Scalar scalar) {
            return given(secret || scalar.hidden() ? Secrets.HIDDEN : scalar.text());
        }
        return tree instanceof Tree.Mapping mapping
                ? mapping.members().stream()
                        .map(member -> quoted(member.key()) + ": "
                                + part(member.value(), type, secret || type.hides(member.key())))
                        .collect(Collectors.joining(", ", "{", "}"))
                : "";
    }

    private String given(String text) {
        return value(secrets.redact(text));
    }

    /** Quotes a value; a dollar sign would be a substitution. */
    private static String value(String text) {
        return quoted(Substitution.escape(text));
    }

    private static String quoted(String text) {
        if (PLAIN.matcher(text).matches() && !text.equals("null")) {
            return text;
        }
        if (text.chars().noneMatch(c -> c < ' ' || c >= 0x7f)) {
            return "'" + text.replace("'", "''") + "'";
        }
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (ForeignText.isObeyed(c) || c == 0xfeff) {
                quoted.append(String.format("\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }

    private void line(String indent, String text) {
        out.append((indent + text).stripTrailing()).append('\n');
    }
}
