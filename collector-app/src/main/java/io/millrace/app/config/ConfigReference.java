package io.millrace.app.config;

import io.millrace.setting.Entry;
import io.millrace.setting.Section;
import io.millrace.setting.Setting;
import io.millrace.setting.SettingType;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** The configuration reference: every setting with its values, its default and its help, as text or as Markdown. */
public final class ConfigReference {
    private static final String PREFACE = "configuration.md";

    /** A setting of so many types is in one table. */
    private static final int SHARED = 3;

    private final boolean markdown;
    private final StringBuilder out = new StringBuilder();

    private ConfigReference(boolean markdown) {
        this.markdown = markdown;
    }

    /** The reference for a terminal. */
    public static String text(OutputTypes types) {
        ConfigReference reference = new ConfigReference(false);
        reference.section(Config.description(types), "");
        return reference.out.toString();
    }

    /** The document docs/reference/configuration.md: a preface and a table per section. */
    public static String markdown(OutputTypes types) {
        ConfigReference reference = new ConfigReference(true);
        reference.out.append(preface());
        reference.section(Config.description(types), "");
        return reference.out.toString();
    }

    private void section(Section section, String path) {
        head(path, section.help());
        boolean table = false;
        for (Entry entry : section.entries()) {
            if (entry instanceof Setting<?> setting) {
                if (!table && markdown) {
                    out.append("\n| setting | accepts | default | meaning |\n|---|---|---|---|\n");
                }
                table = true;
                setting(setting, path, setting.key());
            }
        }
        for (Entry entry : section.entries()) {
            String inner = path + entry.key();
            if (entry instanceof Section part) {
                section(part, inner + ".");
            } else if (entry instanceof NamedSections named) {
                named(named, inner);
            }
        }
    }

    private void named(NamedSections named, String path) {
        String help = named.help() + " A name has " + named.nameTakes() + ". Default: " + named.whenNone() + ".";
        Setting<String> type = named.type();
        if (type == null) {
            named.kinds().values().forEach(it -> section(it.after(help, List.of()), path + ".NAME."));
            return;
        }
        head(path + ".", help);
        Map<Line, Integer> uses = new LinkedHashMap<>();
        Map<String, List<Line>> kinds = new LinkedHashMap<>();
        named.kinds().forEach((name, section) -> {
            List<Line> lines = new ArrayList<>();
            lines("", section, lines);
            kinds.put(name, lines);
            lines.forEach(line -> uses.merge(line, 1, Integer::sum));
        });
        String names = path + ".NAME.";
        List<Line> common = uses.keySet().stream()
                .filter(line -> uses.getOrDefault(line, 0) == kinds.size())
                .toList();
        List<Line> shared = uses.keySet().stream()
                .filter(line -> !common.contains(line) && uses.getOrDefault(line, 0) >= SHARED)
                // Of several with one key, such as batches with other defaults, the first, which most types have.
                .filter(line -> uses.keySet().stream()
                        .filter(other -> other.key().equals(line.key()) && uses.getOrDefault(other, 0) >= SHARED)
                        .findFirst()
                        .filter(line::equals)
                        .isPresent())
                .toList();
        table(path, "of all types", "", names, common);
        table(path, "of several types", "Each type names those that it has.", names, shared);
        kinds.forEach((name, lines) -> {
            Section section = Objects.requireNonNull(named.kinds().get(name));
            List<Line> own = lines.stream()
                    .filter(line -> !common.contains(line) && !shared.contains(line))
                    .toList();
            String others = lines.stream()
                    .filter(shared::contains)
                    .map(line -> "`" + line.key() + "`")
                    .collect(Collectors.joining(", "));
            String text = section.help() + (others.isEmpty() ? "" : " Also, as of several types: " + others + ".");
            table(path, "of type `" + name + "`", text, names, own);
        });
    }

    /**
     * A setting in a table.
     *
     * @param key its key, after those of the sections that it is in
     */
    private record Line(String key, Setting<?> setting) {}

    /** The settings of a section and of the sections in it. */
    private static void lines(String prefix, Section section, List<Line> to) {
        for (Entry entry : section.entries()) {
            if (entry instanceof Setting<?> setting) {
                to.add(new Line(prefix + setting.key(), setting));
            } else if (entry instanceof Section inner) {
                lines(prefix + inner.key() + ".", inner, to);
            }
        }
    }

    private void table(String path, String title, String help, String names, List<Line> lines) {
        if (markdown) {
            out.append("\n### `").append(path).append("` ").append(title).append("\n\n");
            out.append(help).append(help.isEmpty() ? "" : "\n\n");
            out.append(lines.isEmpty() ? "" : "| setting | accepts | default | meaning |\n|---|---|---|---|\n");
        } else {
            out.append("\n# ")
                    .append(path)
                    .append(' ')
                    .append(title.replace("`", ""))
                    .append(": ");
            out.append(help.replace("`", "")).append('\n');
        }
        lines.forEach(line -> setting(line.setting(), names, line.key()));
    }

    private void head(String path, String help) {
        String name = path.isEmpty() ? "" : path.substring(0, path.length() - 1);
        if (markdown) {
            out.append("\n## ")
                    .append(name.isEmpty() ? "Settings at the top" : "`" + name + "`")
                    .append("\n\n");
            out.append(help).append('\n');
        } else if (!name.isEmpty()) {
            out.append("\n# ")
                    .append(name)
                    .append(": ")
                    .append(help.replace("`", ""))
                    .append('\n');
        }
    }

    private void setting(Setting<?> setting, String path, String key) {
        SettingType<?> type = setting.type();
        if (markdown) {
            out.append("| `").append(key).append("` | ").append(cell(type.takes()));
            out.append(" | ").append(cell(otherwise(setting))).append(" | ");
            out.append(cell(setting.help())).append(" |\n");
        } else {
            out.append(path).append(key).append('\n');
            out.append("    ").append(setting.help().replace("`", "")).append('\n');
            out.append("    Takes ").append(type.takes()).append(".\n");
            out.append("    ").append(setting.isRequired() ? "Required." : "Default: " + setting.otherwise() + ".");
            out.append('\n');
        }
    }

    private static String otherwise(Setting<?> setting) {
        String text = setting.defaultText();
        return text == null ? setting.otherwise() : text.isEmpty() ? "nothing" : "`" + text + "`";
    }

    private static String cell(String text) {
        return text.replace("|", "\\|").replaceAll("\\s+", " ");
    }

    private static String preface() {
        try (InputStream in = ConfigReference.class.getResourceAsStream(PREFACE)) {
            return new String(Objects.requireNonNull(in, PREFACE).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
