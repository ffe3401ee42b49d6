package io.millrace.internal.filter;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.internal.fields.NumberText;
import io.millrace.internal.fields.ValuePredicate;
import io.millrace.internal.filter.Lexer.Token;
import io.millrace.internal.format.Field;
import java.util.List;
import java.util.Set;

/** Conditions on text fields. */
final class TextConditions {
    static final ValuePredicate ANYTHING = (bytes, begin, end) -> true;
    private static final Set<String> ORDER = Set.of("<", "<=", ">", ">=");

    private TextConditions() {}

    /** True if the operator compares numbers only. */
    static boolean isOrder(String operator) {
        return ORDER.contains(operator);
    }

    /**
     * The condition that one value of a field satisfies a test, or that there are values and none does.
     *
     * @param opposite true for the latter
     */
    static Condition of(Field field, ValuePredicate test, boolean opposite) {
        return opposite
                ? record -> field.any(record, ANYTHING) && !field.any(record, test)
                : record -> field.any(record, test);
    }

    static ValuePredicate anyOf(List<ValuePredicate> tests) {
        ValuePredicate[] all = tests.toArray(ValuePredicate[]::new);
        return (bytes, begin, end) -> {
            for (ValuePredicate each : all) {
                if (each.test(bytes, begin, end)) {
                    return true;
                }
            }
            return false;
        };
    }

    /** True for a number without quotes. */
    static boolean isNumber(Token token) {
        byte[] text = token.text().getBytes(UTF_8);
        return token.type() == Lexer.Type.WORD && NumberText.isNumber(text, 0, text.length);
    }

    /** The test that compares a value with a number; false for values that are no numbers. */
    static ValuePredicate number(String operator, Token token) {
        byte[] wanted = token.text().getBytes(UTF_8);
        return switch (operator) {
            case "<" -> (b, begin, end) -> NumberText.isNumber(b, begin, end) && compare(b, begin, end, wanted) < 0;
            case "<=" -> (b, begin, end) -> NumberText.isNumber(b, begin, end) && compare(b, begin, end, wanted) <= 0;
            case ">" -> (b, begin, end) -> NumberText.isNumber(b, begin, end) && compare(b, begin, end, wanted) > 0;
            case ">=" -> (b, begin, end) -> NumberText.isNumber(b, begin, end) && compare(b, begin, end, wanted) >= 0;
            default -> (b, begin, end) -> NumberText.isNumber(b, begin, end) && compare(b, begin, end, wanted) == 0;
        };
    }

    private static int compare(byte[] b, int begin, int end, byte[] wanted) {
        return NumberText.compare(b, begin, end, wanted, 0, wanted.length);
    }
}
