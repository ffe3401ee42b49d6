package io.millrace.filter;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.fields.ValueTest;
import io.millrace.filter.Lexer.Token;
import io.millrace.format.LogRecord;
import io.millrace.format.RecordField;
import io.millrace.parse.Facility;
import io.millrace.parse.FieldName;
import io.millrace.parse.Severity;
import io.millrace.record.Network;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * Recursive descent parser of filter expressions:
 *
 * <pre>
 * expression = conjunction ("or" conjunction)*
 * conjunction = term ("and" term)*
 * term = "not" term | "(" expression ")" | field ["exists" | ["not"] operator value]
 * </pre>
 *
 * A field alone is true if the record has it. {@link FieldName} describes {@code fields.NAME} and {@code sd.ID.NAME}.
 */
final class FilterParser {
    private static final int MAX_DEPTH = 100;
    private static final String TEXT_OPERATORS = "== != contains startswith endswith in matches exists";
    private static final List<String> AFTER_NOT = List.of("contains", "startswith", "endswith", "in", "matches");

    private final List<Token> tokens;
    private int next;
    private int depth;

    FilterParser(String expression) {
        tokens = Lexer.tokens(expression);
    }

    Condition parse() {
        Condition condition = expression();
        if (peek().type() != Lexer.Type.END) {
            throw error(peek(), "and, or, or the end belong here");
        }
        return condition;
    }

    private Condition expression() {
        Condition[] any = joined("or", this::conjunction);
        return any.length == 1
                ? any[0]
                : record -> {
                    for (Condition each : any) {
                        if (each.test(record)) {
                            return true;
                        }
                    }
                    return false;
                };
    }

    private Condition conjunction() {
        Condition[] all = joined("and", this::term);
        return all.length == 1
                ? all[0]
                : record -> {
                    for (Condition each : all) {
                        if (!each.test(record)) {
                            return false;
                        }
                    }
                    return true;
                };
    }

    private Condition[] joined(String word, Supplier<Condition> part) {
        List<Condition> parts = new ArrayList<>(List.of(part.get()));
        while (peek().is(word)) {
            next++;
            parts.add(part.get());
        }
        return parts.toArray(Condition[]::new);
    }

    private Condition term() {
        Token token = take();
        if (++depth > MAX_DEPTH) {
            throw error(token, "more than " + MAX_DEPTH + " levels of not and brackets are too many");
        }
        Condition condition;
        if (token.is("not")) {
            Condition opposite = term();
            condition = record -> !opposite.test(record);
        } else if (token.is("(")) {
            condition = expression();
            Token close = take();
            if (!close.is(")")) {
                throw error(close, "a ) belongs here");
            }
        } else {
            condition = comparison(token);
        }
        depth--;
        return condition;
    }

    private Condition comparison(Token name) {
        if (name.type() != Lexer.Type.WORD) {
            throw error(name, "a field belongs here: " + RecordField.keys());
        }
        FieldName value = FieldName.of(name.text());
        RecordField field = RecordField.of(name.text());
        if (value == null && field == null) {
            throw new IllegalArgumentException("column " + name.column() + ": " + RecordField.unknown(name.text()));
        }
        Token operator = peek();
        boolean exists = operator.is("exists");
        if (isEndOfTerm(operator) || exists) {
            next += exists ? 1 : 0;
            return value != null ? TextField.of(value)::isIn : Objects.requireNonNull(field)::isIn;
        }
        next++;
        if (value != null) {
            return text(TextField.of(value), operator, true);
        }
        return typed(Objects.requireNonNull(field), operator);
    }

    private Condition typed(RecordField field, Token operator) {
        return switch (field) {
            case SEVERITY -> number(field, operator, LogRecordNumbers::severity, FilterParser::severity);
            case FACILITY -> number(field, operator, LogRecordNumbers::facility, FilterParser::facility);
            case VERSION -> number(field, operator, LogRecordNumbers::version, FilterParser::integer);
            case SOURCE_PORT -> number(field, operator, LogRecordNumbers::sourcePort, FilterParser::integer);
            case PID -> number(field, operator, LogRecordNumbers::pid, FilterParser::integer);
            case UID -> number(field, operator, LogRecordNumbers::uid, FilterParser::integer);
            case GID -> number(field, operator, LogRecordNumbers::gid, FilterParser::integer);
            case SHARD -> number(field, operator, LogRecord::shard, FilterParser::integer);
            case SEQUENCE -> number(field, operator, LogRecord::sequence, FilterParser::integer);
            case PART -> number(field, operator, LogRecord::part, FilterParser::integer);
            case TIMESTAMP -> number(field, operator, LogRecordNumbers::timestamp, FilterParser::time);
            case RECEIVE_TIME -> number(field, operator, LogRecord::receiveTimeNs, FilterParser::time);
            case SOURCE_IP -> address(operator);
            default -> text(TextField.of(field), operator, false);
        };
    }

    private static boolean isEndOfTerm(Token token) {
        return token.type() == Lexer.Type.END || token.is("and") || token.is("or") || token.is(")");
    }

    // ---- numbers, and what is ordered like them ----

    private interface Reader {
        long read(Token token);
    }

    private Condition number(RecordField field, Token operator, ToLongFunction<LogRecord> value, Reader reader) {
        if (operator.is("in")) {
            long[] wanted = list().stream().mapToLong(reader::read).toArray();
            return record -> field.isIn(record) && contains(wanted, value.applyAsLong(record));
        }
        if (!List.of("==", "!=", "<", "<=", ">", ">=").contains(operator.text())) {
            throw error(operator, field.key() + " takes == != < <= > >= in");
        }
        long wanted = reader.read(take());
        Condition comparison = switch (operator.text()) {
            case "==" -> record -> value.applyAsLong(record) == wanted;
            case "!=" -> record -> value.applyAsLong(record) != wanted;
            case "<" -> record -> value.applyAsLong(record) < wanted;
            case "<=" -> record -> value.applyAsLong(record) <= wanted;
            case ">" -> record -> value.applyAsLong(record) > wanted;
            default -> record -> value.applyAsLong(record) >= wanted;
        };
        return record -> field.isIn(record) && comparison.test(record);
    }

    private static boolean contains(long[] wanted, long value) {
        for (long each : wanted) {
            if (each == value) {
                return true;
            }
        }
        return false;
    }

    private static long integer(Token token) {
        try {
            return Long.parseLong(token.text());
        } catch (NumberFormatException e) {
            throw error(token, "a number belongs here");
        }
    }

    private static long severity(Token token) {
        Severity severity = Severity.of(token.text());
        return severity != null
                ? severity.code()
                : code(token, "a severity", Arrays.stream(Severity.values()).map(Severity::keyword));
    }

    private static long facility(Token token) {
        Facility facility = Facility.of(token.text());
        return facility != null
                ? facility.code()
                : code(token, "a facility", Arrays.stream(Facility.values()).map(Facility::keyword));
    }

    /** A severity or facility as a number: the position of its keyword. */
    private static long code(Token token, String what, Stream<String> keywords) {
        List<String> all = keywords.toList();
        if (token.text().matches("[0-9]|[1-9][0-9]") && Integer.parseInt(token.text()) < all.size()) {
            return Integer.parseInt(token.text());
        }
        throw error(token, what + " belongs here: " + String.join(" ", all));
    }

    private static long time(Token token) {
        try {
            Instant instant = OffsetDateTime.parse(token.text()).toInstant();
            return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), 1_000_000_000L), instant.getNano());
        } catch (DateTimeException | ArithmeticException e) {
            throw error(token, "a time belongs here, such as 2026-11-21T08:30:00Z");
        }
    }

    // ---- text ----

    /** A condition on text; with {@code numbers}, a value without quotes is a number. */
    private Condition text(TextField field, Token first, boolean numbers) {
        boolean not = first.is("not");
        Token operator = not ? take() : first;
        if (not && !AFTER_NOT.contains(operator.text())) {
            throw error(operator, "after not, " + field.key() + " takes " + String.join(" ", AFTER_NOT));
        }
        if (operator.is("in")) {
            List<ValueTest> wanted =
                    list().stream().map(token -> equal(token, numbers)).toList();
            return TextConditions.of(field, TextConditions.anyOf(wanted), not);
        }
        boolean order = TextConditions.isOrder(operator.text());
        if (!(order && numbers) && !List.of(TEXT_OPERATORS.split(" ")).contains(operator.text())) {
            throw error(operator, field.key() + " takes " + TEXT_OPERATORS + (numbers ? " < <= > >=" : ""));
        }
        Token value = take();
        if (order && !TextConditions.isNumber(value)) {
            throw error(value, "a number without quotes belongs here");
        }
        ValueTest test = switch (operator.text()) {
            case "==", "!=" -> equal(value, numbers);
            case "contains" -> Bytes.contains(bytes(value));
            case "startswith" -> Bytes.startsWith(bytes(value));
            case "endswith" -> Bytes.endsWith(bytes(value));
            case "matches" -> regex(value);
            default -> TextConditions.number(operator.text(), value);
        };
        return TextConditions.of(field, test, not || operator.is("!="));
    }

    private static ValueTest equal(Token token, boolean numbers) {
        if (numbers && TextConditions.isNumber(token)) {
            return TextConditions.number("==", token);
        }
        if (numbers && token.type() != Lexer.Type.STRING) {
            throw error(token, "text in double quotes or a number belongs here");
        }
        return Bytes.equal(bytes(token));
    }

    private static ValueTest regex(Token token) {
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

    private Condition address(Token operator) {
        List<Network> networks;
        if (operator.is("in")) {
            networks = (peek().is("[") ? list() : List.of(take()))
                    .stream().map(FilterParser::network).toList();
        } else if (operator.is("==") || operator.is("!=")) {
            networks = List.of(network(take()));
        } else {
            throw error(operator, "source_ip takes == != in");
        }
        boolean wanted = !operator.is("!=");
        Network[] all = networks.toArray(Network[]::new);
        return record -> {
            if (record.datagram() == null) {
                return false;
            }
            boolean found = false;
            for (Network network : all) {
                found |= network.contains(record.datagram());
            }
            return found == wanted;
        };
    }

    private static Network network(Token token) {
        try {
            return Network.parse(token.text());
        } catch (IllegalArgumentException e) {
            throw error(token, String.valueOf(e.getMessage()));
        }
    }

    // ---- tokens ----

    /** Parses {@code [a, b, c]}. */
    private List<Token> list() {
        Token open = take();
        if (!open.is("[")) {
            throw error(open, "a list belongs here, such as [\"a\", \"b\"]");
        }
        List<Token> values = new ArrayList<>();
        while (true) {
            values.add(take());
            Token after = take();
            if (after.is("]")) {
                return values;
            }
            if (!after.is(",")) {
                throw error(after, "a , or a ] belongs here");
            }
        }
    }

    private Token peek() {
        return tokens.get(next);
    }

    private Token take() {
        Token token = peek();
        if (token.type() != Lexer.Type.END) {
            next++;
        }
        return token;
    }

    private static IllegalArgumentException error(Token token, String what) {
        return new IllegalArgumentException("column " + token.column() + ": " + token + " is not right: " + what);
    }
}
