package io.millrace.internal.filter;

import static io.millrace.internal.filter.TokenReader.error;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.collector.Network;
import io.millrace.internal.fields.ValuePredicate;
import io.millrace.internal.filter.Lexer.Token;
import io.millrace.internal.format.Field;
import io.millrace.internal.format.JournalRecord;
import io.millrace.message.RecordField;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongPredicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Parser of comparisons: an operator and a value, of the type of a field. */
final class ComparisonParser {
    private static final String TEXT_OPERATORS = "== != contains startswith endswith in matches exists";
    private static final String NUMBER_OPERATORS = "== != < <= > >= in";
    private static final List<String> AFTER_NOT = List.of("contains", "startswith", "endswith", "in", "matches");

    private final TokenReader tokens;
    private final References references;

    /** A condition, and what it says about the field's value. */
    private record Parsed(Condition condition, @Nullable Constraint constraint) {}

    ComparisonParser(TokenReader tokens, References references) {
        this.tokens = tokens;
        this.references = references;
    }

    Node parse(Token first, Field field) {
        RecordField header = field.header();
        Parsed parsed = isPresence()
                ? new Parsed(field::isIn, null)
                : header == null ? new Parsed(text(field, true).condition(), null) : typed(header);
        return Node.comparison(
                tokens.textFrom(first), parsed.condition(), new Node.Compared(field, parsed.constraint()));
    }

    /** True if no operator follows, or {@code exists}, which is taken. */
    private boolean isPresence() {
        Token token = tokens.peek();
        return tokens.takes("exists")
                || token.type() == Lexer.Type.END
                || token.is("and")
                || token.is("or")
                || token.is(")");
    }

    private Parsed typed(RecordField field) {
        return switch (field) {
            case SEVERITY -> number(field, LogRecordNumbers::severity, Literals::severity);
            case FACILITY -> number(field, LogRecordNumbers::facility, Literals::facility);
            case VERSION -> number(field, LogRecordNumbers::version, Literals::integer);
            case SOURCE_PORT -> number(field, LogRecordNumbers::sourcePort, Literals::integer);
            case PID -> number(field, LogRecordNumbers::pid, Literals::integer);
            case UID -> number(field, LogRecordNumbers::uid, Literals::integer);
            case GID -> number(field, LogRecordNumbers::gid, Literals::integer);
            case SHARD -> number(field, JournalRecord::shard, Literals::integer);
            case SEQUENCE -> number(field, JournalRecord::sequence, Literals::integer);
            case PART -> number(field, JournalRecord::part, Literals::integer);
            case TIMESTAMP -> number(field, LogRecordNumbers::timestamp, Literals::time);
            case RECEIVE_TIME -> number(field, JournalRecord::receiveTimeNs, Literals::time);
            case SOURCE_IP -> address();
            default -> text(new Field.Header(field), false);
        };
    }

    // ---- files ----

    /** The list in {@code file("/path")}, which is the next; null if a list in brackets is. */
    private <T> @Nullable FileList<T> file(FileList.Parser<T> parser) {
        if (!tokens.isNext("file", "(")) {
            return null;
        }
        tokens.take();
        tokens.require("(");
        Token path = tokens.take();
        if (path.type() != Lexer.Type.STRING) {
            throw error(
                    path,
                    "the path of a file in double quotes belongs here, such as file(\"/etc/millrace/hosts.txt\")");
        }
        tokens.require(")");
        try {
            return references.list(path.text(), parser);
        } catch (IllegalArgumentException e) {
            throw error(path, String.valueOf(e.getMessage()));
        }
    }

    // ---- numbers, and what is ordered like them ----

    private Parsed number(RecordField field, ToLongFunction<JournalRecord> value, Literals.Reader reader) {
        boolean not = tokens.takes("not");
        Token operator = tokens.take();
        if (not && !operator.is("in")) {
            throw error(operator, Operators.hint(operator) + "after not, " + field.key() + " accepts in");
        }
        if (operator.is("in")) {
            return numbers(field, value, reader, not);
        }
        if (!List.of(NUMBER_OPERATORS.split(" ")).contains(operator.text())) {
            throw error(operator, Operators.hint(operator) + field.key() + " accepts " + NUMBER_OPERATORS);
        }
        long wanted = literal(tokens.take(), reader);
        Condition comparison = switch (operator.text()) {
            case "==" -> record -> value.applyAsLong(record) == wanted;
            case "!=" -> record -> value.applyAsLong(record) != wanted;
            case "<" -> record -> value.applyAsLong(record) < wanted;
            case "<=" -> record -> value.applyAsLong(record) <= wanted;
            case ">" -> record -> value.applyAsLong(record) > wanted;
            default -> record -> value.applyAsLong(record) >= wanted;
        };
        LongPredicate test = switch (operator.text()) {
            case "==" -> number -> number == wanted;
            case "!=" -> number -> number != wanted;
            case "<" -> number -> number < wanted;
            case "<=" -> number -> number <= wanted;
            case ">" -> number -> number > wanted;
            default -> number -> number >= wanted;
        };
        return new Parsed(
                record -> field.isIn(record) && comparison.test(record), Constraint.ofNumber(test, List.of(wanted)));
    }

    private Parsed numbers(
            RecordField field, ToLongFunction<JournalRecord> value, Literals.Reader reader, boolean not) {
        FileList<long[]> file = file(lines -> lines.numbers(reader));
        if (file != null) {
            return new Parsed(
                    record -> field.isIn(record)
                            && Arrays.binarySearch(file.values(), value.applyAsLong(record)) >= 0 != not,
                    null);
        }
        long[] wanted = tokens.list().stream()
                .mapToLong(token -> literal(token, reader))
                .sorted()
                .toArray();
        return new Parsed(
                record -> field.isIn(record) && Arrays.binarySearch(wanted, value.applyAsLong(record)) >= 0 != not,
                Constraint.ofNumber(
                        number -> Arrays.binarySearch(wanted, number) >= 0 != not,
                        Arrays.stream(wanted).boxed().toList()));
    }

    private static long literal(Token token, Literals.Reader reader) {
        try {
            return reader.read(token.text());
        } catch (IllegalArgumentException e) {
            throw error(token, String.valueOf(e.getMessage()));
        }
    }

    // ---- text ----

    /** A condition on text; with {@code numbers}, a value without quotes is a number. */
    private Parsed text(Field field, boolean numbers) {
        boolean not = tokens.takes("not");
        Token operator = tokens.take();
        if (not && !AFTER_NOT.contains(operator.text())) {
            throw error(
                    operator,
                    Operators.hint(operator) + "after not, " + field.key() + " accepts " + String.join(" ", AFTER_NOT));
        }
        if (operator.is("in")) {
            return texts(field, numbers, not);
        }
        boolean order = TextConditions.isOrder(operator.text());
        if (!(order && numbers) && !List.of(TEXT_OPERATORS.split(" ")).contains(operator.text())) {
            throw error(
                    operator,
                    Operators.hint(operator) + field.key() + " accepts " + TEXT_OPERATORS
                            + (numbers ? " < <= > >=" : ""));
        }
        Token value = tokens.take();
        if (order && !TextConditions.isNumber(value)) {
            throw error(value, "a number without quotes belongs here");
        }
        ValuePredicate test = switch (operator.text()) {
            case "==", "!=" -> equal(value, numbers);
            case "contains" -> Bytes.contains(bytes(value));
            case "startswith" -> Bytes.startsWith(bytes(value));
            case "endswith" -> Bytes.endsWith(bytes(value));
            case "matches" -> regex(value);
            default -> TextConditions.number(operator.text(), value);
        };
        boolean opposite = not || operator.is("!=");
        List<byte[]> only = operator.is("==") && !numbers ? List.of(bytes(value)) : null;
        return new Parsed(TextConditions.of(field, test, opposite), constraint(test, opposite, only));
    }

    private Parsed texts(Field field, boolean numbers, boolean not) {
        FileList<TextSet> file = file(FileList.Lines::texts);
        if (file != null) {
            ValuePredicate isIn = (bytes, begin, end) -> file.values().contains(bytes, begin, end);
            return new Parsed(TextConditions.of(field, isIn, not), null);
        }
        List<Token> list = tokens.list();
        ValuePredicate test = TextConditions.anyOf(
                list.stream().map(token -> equal(token, numbers)).toList());
        List<byte[]> only = numbers || not
                ? null
                : list.stream().map(ComparisonParser::bytes).toList();
        return new Parsed(TextConditions.of(field, test, not), constraint(test, not, only));
    }

    private static Constraint constraint(ValuePredicate test, boolean opposite, @Nullable List<byte[]> only) {
        return Constraint.ofText(opposite ? (bytes, begin, end) -> !test.test(bytes, begin, end) : test, only);
    }

    private static ValuePredicate equal(Token token, boolean numbers) {
        if (numbers && TextConditions.isNumber(token)) {
            return TextConditions.number("==", token);
        }
        if (numbers && token.type() != Lexer.Type.STRING) {
            throw error(token, "text in double quotes or a number belongs here");
        }
        return Bytes.equal(bytes(token));
    }

    private static ValuePredicate regex(Token token) {
        if (token.type() != Lexer.Type.STRING) {
            throw error(token, "a regular expression in double quotes belongs here");
        }
        try {
            return Regex.compile(token.text());
        } catch (IllegalArgumentException e) {
            throw error(token, String.valueOf(e.getMessage()));
        }
    }

    private static byte[] bytes(Token token) {
        if (token.type() != Lexer.Type.STRING) {
            throw error(token, "text in double quotes belongs here");
        }
        return token.text().getBytes(UTF_8);
    }

    // ---- addresses ----

    private Parsed address() {
        boolean not = tokens.takes("not");
        Token operator = tokens.take();
        boolean in = operator.is("in");
        if (!in && (not || !(operator.is("==") || operator.is("!=")))) {
            String takes = not ? "after not, source_ip accepts in" : "source_ip accepts == != in";
            throw error(operator, Operators.hint(operator) + takes);
        }
        boolean wanted = !(not || operator.is("!="));
        if (in) {
            FileList<AddressSet> file = file(FileList.Lines::addresses);
            if (file != null) {
                return new Parsed(
                        record -> RecordField.SOURCE_IP.isIn(record)
                                && file.values().contains(record) == wanted,
                        null);
            }
        }
        List<Network> networks = new ArrayList<>();
        for (Token token : in && tokens.peek().is("[") ? tokens.list() : List.of(tokens.take())) {
            networks.add(network(token));
        }
        AddressSet addresses = AddressSet.of(networks);
        return new Parsed(
                record -> RecordField.SOURCE_IP.isIn(record) && addresses.contains(record) == wanted,
                wanted ? Constraint.ofNetworks(networks) : null);
    }

    private static Network network(Token token) {
        try {
            return Network.parse(token.text());
        } catch (IllegalArgumentException e) {
            throw error(token, String.valueOf(e.getMessage()));
        }
    }
}
