package io.millrace.internal.format.template;

import io.millrace.message.LineBuffer;
import io.millrace.message.RecordField;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Parser of templates:
 *
 * <pre>
 * template = (text | field | section)*
 * field = "{" name [":" format] ["|" default] "}"
 * section = "{#" name "}" template "{/" name "}" | "{^" name "}" template "{/" name "}"
 * </pre>
 *
 * A section becomes a step that is false if it is not written, with the index of the step after it. So writing needs no
 * recursion, however deep sections are.
 */
final class TemplateParser {
    private static final String AT_LINE = " of the template: ";

    private final String template;
    private final boolean asIs;
    private final List<TemplateFormat.Step> steps = new ArrayList<>();
    private final List<Integer> jumps = new ArrayList<>();
    private final Deque<Section> open = new ArrayDeque<>();
    private final StringBuilder text = new StringBuilder();
    private int at;
    /** The position of the brace of the field or section that is being read. */
    private int brace;

    /** A section whose end is not read yet. */
    private record Section(String name, char sign, int position, int step) {}

    private boolean constant = true;
    private boolean ofBytes;

    /**
     * Creates a parser.
     *
     * @param asIs true if values are written without escapes
     */
    TemplateParser(String template, boolean asIs) {
        this.template = template;
        this.asIs = asIs;
    }

    TemplateFormat parse() {
        while (at < template.length()) {
            char c = template.charAt(at);
            boolean doubled = at + 1 < template.length() && template.charAt(at + 1) == c;
            if (c == '{' && !doubled) {
                braces();
            } else if (c == '}' && !doubled) {
                throw error(at, "a } without its {; for the character itself write }}");
            } else {
                text.append(c);
                at += c == '{' || c == '}' ? 2 : 1;
            }
        }
        if (!open.isEmpty()) {
            Section section = open.pop();
            throw error(
                    section.position(),
                    "{" + section.sign() + section.name() + "} has no end; it ends with {/" + section.name() + "}");
        }
        endText();
        return made();
    }

    /** Parses a template that must be one field. */
    TemplateFormat parseField() {
        if (template.startsWith("{{")) {
            throw error(0, "a field belongs here, and no brace");
        }
        braces();
        if (!open.isEmpty() || at < template.length()) {
            throw error(0, "one field belongs here, and no section");
        }
        return made();
    }

    private TemplateFormat made() {
        return new TemplateFormat(
                steps.toArray(TemplateFormat.Step[]::new),
                jumps.stream().mapToInt(Integer::intValue).toArray(),
                constant,
                ofBytes);
    }

    private void add(TemplateFormat.Step step) {
        steps.add(step);
        jumps.add(0);
    }

    private void endText() {
        if (text.length() > 0) {
            byte[] bytes = LineBuffer.utf8(text.toString());
            text.setLength(0);
            add((record, out) -> {
                out.append(bytes, 0, bytes.length);
                return true;
            });
        }
    }

    private void braces() {
        brace = at++;
        constant = false;
        endText();
        char sign = at < template.length() ? template.charAt(at) : ' ';
        if (sign == '#' || sign == '^' || sign == '/') {
            at++;
            String name = name();
            if (at >= template.length() || template.charAt(at) != '}') {
                throw at < template.length() ? error(at, "after {" + sign + name + ", only } belongs here") : noEnd();
            }
            at++;
            section(sign, name);
            return;
        }
        String name = name();
        String format = following(':');
        String absent = following('|');
        if (at >= template.length()) {
            throw noEnd();
        }
        // Nothing but a closing brace ends a default.
        at++;
        try {
            add(TemplateField.of(name, format, absent, asIs));
            ofBytes |= name.equals(RecordField.RAW.key());
        } catch (IllegalArgumentException e) {
            throw error(brace, String.valueOf(e.getMessage()));
        }
    }

    private void section(char sign, String name) {
        if (sign == '/') {
            Section section = open.peek();
            if (section == null || !section.name().equals(name)) {
                throw error(
                        brace,
                        "{/" + name + "} ends no section"
                                + (section == null
                                        ? "; a section begins with {#" + name + "}"
                                        : "; the one of column " + (section.position() + 1) + " ends with {/"
                                                + section.name() + "}"));
            }
            open.pop();
            jumps.set(section.step(), steps.size());
            return;
        }
        open.push(new Section(name, sign, brace, steps.size()));
        try {
            TemplateFormat.Step isIn = TemplateField.isIn(name);
            add(sign == '#' ? isIn : (record, out) -> !isIn.write(record, out));
        } catch (IllegalArgumentException e) {
            throw error(brace, String.valueOf(e.getMessage()));
        }
    }

    /** A name, up to a colon, a bar or a brace; after a dot its end may be in quotes: {@code fields."a:b"}. */
    private String name() {
        StringBuilder name = new StringBuilder();
        while (at < template.length() && ":|}".indexOf(template.charAt(at)) < 0) {
            char c = template.charAt(at);
            if (c == '"' && name.length() > 0 && name.charAt(name.length() - 1) == '.') {
                quoted(name);
                return name.toString();
            }
            name.append(c);
            at++;
        }
        return name.toString();
    }

    private void quoted(StringBuilder name) {
        int begin = at++;
        while (at < template.length() && template.charAt(at) != '"') {
            at += template.charAt(at) == '\\' ? 1 : 0;
            if (at < template.length()) {
                name.append(template.charAt(at++));
            }
        }
        if (at >= template.length()) {
            throw error(begin, "this name has no closing quote");
        }
        at++;
        if (at < template.length() && ":|}".indexOf(template.charAt(at)) < 0) {
            throw error(at, "after a name in quotes, : | or } belongs here");
        }
    }

    /** What follows a sign, up to a bar (not in a default) or the closing brace; null if the sign is not there. */
    private @Nullable String following(char sign) {
        if (at >= template.length() || template.charAt(at) != sign) {
            return null;
        }
        int begin = ++at;
        while (at < template.length() && template.charAt(at) != '}' && (sign == '|' || template.charAt(at) != '|')) {
            if (template.charAt(at) == '{') {
                throw error(at, "a " + (sign == '|' ? "default" : "format") + " has no braces");
            }
            at++;
        }
        return template.substring(begin, at);
    }

    private IllegalArgumentException noEnd() {
        return error(brace, "a { without its }; for the character itself write {{");
    }

    private static IllegalArgumentException error(int position, String what) {
        return new IllegalArgumentException("column " + (position + 1) + AT_LINE + what);
    }
}
