package io.millrace.app.config;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/**
 * Parser of YAML to a {@link Tree}. It accepts texts, lists and mappings, and rejects tags, anchors and aliases. No
 * text is converted to a number or a boolean. It processes events, so nothing is expanded.
 */
final class YamlReader {
    private static final int MAX_DEPTH = 20;

    private final String source;
    private final String text;
    private final Substitution substitution;
    private final List<Problem> problems;

    /** The rest of the file cannot be parsed; the problem was reported. */
    private static final class GiveUp extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    YamlReader(String source, String text, Substitution substitution, List<Problem> problems) {
        this.source = source;
        this.text = text;
        this.substitution = substitution;
        this.problems = problems;
    }

    /** The tree; an empty mapping for an empty file, and a broken node where the file cannot be parsed. */
    Tree read() {
        Mark start = new Mark(source, 1, 1);
        if (hasUnprintable()) {
            return new Tree.Broken(start);
        }
        LoadSettings settings = LoadSettings.builder().setLabel(source).build();
        try {
            Iterator<Event> events = new Parse(settings).parseString(text).iterator();
            Tree root = null;
            while (events.hasNext()) {
                Event event = events.next();
                if (event.getEventId() != Event.ID.DocumentStart) {
                    continue;
                }
                if (root != null) {
                    problem(mark(event), "a second document begins here; a file is one document");
                    break;
                }
                root = node(events, events.next(), 0);
            }
            return root == null || (root instanceof Tree.Scalar scalar && scalar.empty())
                    ? new Tree.Mapping(start, List.of())
                    : root;
        } catch (GiveUp said) {
            return new Tree.Broken(start);
        } catch (MarkedYamlEngineException e) {
            syntaxProblem(e);
        } catch (YamlEngineException e) {
            problem(start, "this is no YAML: " + e.getMessage());
        }
        return new Tree.Broken(start);
    }

    private Tree node(Iterator<Event> events, Event event, int depth) {
        Mark mark = mark(event);
        if (depth > MAX_DEPTH) {
            problem(mark, "more than " + MAX_DEPTH + " levels of nesting");
            throw new GiveUp();
        }
        if (event instanceof AliasEvent) {
            problem(mark, "aliases are not taken: write the value itself; a text that begins with * goes in quotes");
            return new Tree.Broken(mark);
        }
        refuseAnchorAndTag(event, mark);
        if (event instanceof ScalarEvent scalar) {
            boolean empty = scalar.isPlain() && scalar.getValue().matches("|~|null");
            return empty
                    ? new Tree.Scalar(mark, "", true, false, List.of())
                    : substitution.apply(mark, scalar.getValue(), problems);
        }
        return event.getEventId() == Event.ID.SequenceStart
                ? sequence(events, mark, depth)
                : mapping(events, mark, depth);
    }

    private Tree sequence(Iterator<Event> events, Mark mark, int depth) {
        List<Tree> items = new ArrayList<>();
        for (Event event = events.next(); event.getEventId() != Event.ID.SequenceEnd; event = events.next()) {
            items.add(node(events, event, depth + 1));
        }
        return new Tree.Sequence(mark, List.copyOf(items));
    }

    private Tree mapping(Iterator<Event> events, Mark mark, int depth) {
        List<Tree.Member> members = new ArrayList<>();
        for (Event event = events.next(); event.getEventId() != Event.ID.MappingEnd; event = events.next()) {
            Mark place = mark(event);
            if (event instanceof ScalarEvent key) {
                refuseAnchorAndTag(event, place);
                members.add(new Tree.Member(place, key.getValue(), node(events, events.next(), depth + 1)));
            } else {
                problem(
                        place,
                        "a key is a name, not " + (event instanceof AliasEvent ? "an alias" : "a list or a mapping"));
                if (!(event instanceof AliasEvent)) {
                    node(events, event, depth + 1);
                }
                node(events, events.next(), depth + 1);
            }
        }
        return new Tree.Mapping(mark, List.copyOf(members));
    }

    /** Names are not shown: an unquoted secret may look like one. */
    private void refuseAnchorAndTag(Event event, Mark mark) {
        Optional<Anchor> anchor = ((NodeEvent) event).getAnchor();
        anchor.ifPresent(it -> problem(mark, "anchors are not taken; a text that begins with & goes in quotes"));
        Optional<String> tag = event instanceof ScalarEvent scalar
                ? scalar.getTag()
                : event instanceof CollectionStartEvent start ? start.getTag() : Optional.empty();
        tag.ifPresent(it -> problem(mark, "tags are not taken; a text that begins with ! goes in quotes"));
    }

    private boolean hasUnprintable() {
        int line = 1;
        int column = 1;
        for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
            int c = text.codePointAt(i);
            if (!StreamReader.isPrintable(c)) {
                problem(
                        new Mark(source, line, column),
                        String.format("the character U+%04X is not taken: YAML is text", c));
                return true;
            }
            column = c == '\n' ? 1 : column + 1;
            line += c == '\n' ? 1 : 0;
        }
        return false;
    }

    /** The parser's message, with the usual cause where it is known. */
    private void syntaxProblem(MarkedYamlEngineException e) {
        Mark mark = e.getProblemMark().or(e::getContextMark).map(this::mark).orElse(new Mark(source, 1, 1));
        List<String> lines = text.lines().toList();
        String line = mark.line() <= lines.size() ? lines.get(mark.line() - 1) : "";
        String indentation =
                line.substring(0, line.length() - line.stripLeading().length());
        if (indentation.indexOf('\t') >= 0) {
            problem(
                    new Mark(source, mark.line(), indentation.indexOf('\t') + 1),
                    "a tab in the indentation; YAML accepts spaces");
            return;
        }
        if (e.getProblem() != null
                && e.getProblem().matches(".*(block mapping start|block sequence start|<block mapping start>).*")) {
            problem(
                    mark,
                    "the indentation of this line fits none of the lines above it: settings of one level begin in the same column");
            return;
        }
        if (String.valueOf(e.getProblem()).startsWith("found unknown escape character")) {
            problem(
                    mark,
                    "a backslash in double quotes begins an escape: write the text in single quotes, or each backslash twice");
            return;
        }
        String said = String.join(
                        ", ",
                        Optional.ofNullable(e.getContext()).orElse(""),
                        Optional.ofNullable(e.getProblem()).orElse(""))
                .replaceAll("^, |, $", "")
                .replaceAll("\\s+", " ");
        String hint = line.matches(".*:\\s+[\\[{\"'*&!|>%@`].*")
                ? "; a value that begins with " + line.replaceFirst("^.*?:\\s+(.).*$", "$1")
                        + " goes in quotes as a whole"
                : "";
        problem(mark, "this is no YAML: " + said + hint);
    }

    private Mark mark(Event event) {
        return event.getStartMark().map(this::mark).orElse(new Mark(source, 1, 1));
    }

    private Mark mark(org.snakeyaml.engine.v2.exceptions.Mark mark) {
        return new Mark(source, mark.getLine() + 1, mark.getColumn() + 1);
    }

    private void problem(Mark mark, String what) {
        problems.add(new Problem(mark, what));
    }
}
