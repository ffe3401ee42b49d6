package io.millrace.message;

import io.millrace.internal.filter.Node;
import io.millrace.internal.format.FieldText;
import io.millrace.internal.format.JournalRecord;
import io.millrace.internal.format.JsonFormat;
import io.millrace.internal.format.TimeWriter;
import io.millrace.internal.parse.FieldName;
import io.millrace.internal.text.ForeignText;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writer of an explanation why a record matches a filter or not: a line for each part of the expression, with the values
 * that were compared. One thread.
 *
 * <pre>
 * no   severity &lt;= err and hostname == "fw1"
 *   yes  severity &lt;= err              severity is crit
 *   no   hostname == "fw1"            hostname is "fw2"
 * </pre>
 */
public final class Explanation {
    private static final int MAX_VALUE_BYTES = 100;
    private static final int MAX_VALUES = 5;
    private static final int INDENT = 2;
    private static final int VALUE_COLUMN = 40;

    /** Fields that are written as keywords, numbers or addresses. */
    private static final Set<RecordField> WITHOUT_QUOTES = Set.of(
            RecordField.TIMESTAMP,
            RecordField.RECEIVE_TIME,
            RecordField.FACILITY,
            RecordField.SEVERITY,
            RecordField.VERSION,
            RecordField.SOURCE_IP,
            RecordField.SOURCE_PORT,
            RecordField.PID,
            RecordField.UID,
            RecordField.GID,
            RecordField.SHARD,
            RecordField.SEQUENCE,
            RecordField.PART);

    private final Node root;
    private final TimeWriter times = new TimeWriter();
    private final LineBuffer value = new LineBuffer();
    private final LineBuffer quoted = new LineBuffer();

    /** Creates a writer for a filter. */
    public Explanation(Filter filter) {
        this.root = filter.root();
    }

    /** Appends the explanation for a record, as lines that begin with an indentation. */
    public void write(LogRecord record, int indentation, LineBuffer out) {
        write(root, (JournalRecord) record, indentation, out);
    }

    private void write(Node node, JournalRecord record, int indentation, LineBuffer out) {
        int begin = out.length();
        out.ascii(" ".repeat(indentation)).ascii(node.test(record) ? "yes  " : "no   ");
        byte[] text = LineBuffer.utf8(node.text());
        out.line(text, 0, text.length);
        Node.Compared compared = node.compared();
        if (compared != null) {
            out.ascii(" ".repeat(Math.max(2, indentation + VALUE_COLUMN - (out.length() - begin))));
            value(compared, record, out);
        }
        out.put('\n');
        for (Node part : node.parts()) {
            write(part, record, indentation + INDENT, out);
        }
    }

    private void value(Node.Compared compared, JournalRecord record, LineBuffer out) {
        RecordField field = compared.field().header();
        if (field != null) {
            out.ascii(field.key());
            value.clear();
            if (!FieldText.append(field, record, times, value)) {
                out.ascii(" is absent");
                return;
            }
            out.ascii(" is ");
            if (WITHOUT_QUOTES.contains(field)) {
                out.append(value.array(), 0, value.length());
            } else {
                quoted(value.array(), 0, value.length(), out);
            }
            return;
        }
        values(compared.field().value(), record, out);
    }

    private void values(@Nullable FieldName name, JournalRecord record, LineBuffer out) {
        if (name == null) {
            return;
        }
        byte[] text = LineBuffer.utf8(name.toString());
        out.line(text, 0, text.length);
        int[] count = {0};
        name.any(record.message(), (bytes, begin, end) -> {
            if (count[0] < MAX_VALUES) {
                out.ascii(count[0] == 0 ? " is " : ", ");
                quoted(bytes, begin, end, out);
            }
            count[0]++;
            return false;
        });
        if (count[0] > MAX_VALUES) {
            out.ascii(" and ").number(count[0] - MAX_VALUES).ascii(" more");
        } else if (count[0] == 0) {
            out.ascii(name.isIn(record.message()) ? " is an object" : " is absent");
        }
    }

    /** Senders choose the value: a terminal must not obey it. */
    private void quoted(byte[] bytes, int begin, int end, LineBuffer out) {
        boolean isLong = end - begin > MAX_VALUE_BYTES;
        quoted.clear();
        JsonFormat.string(bytes, begin, isLong ? begin + MAX_VALUE_BYTES : end, quoted);
        StringBuilder safe = new StringBuilder();
        quoted.toString().chars().forEach(c -> {
            if (ForeignText.isObeyed(c)) {
                safe.append(String.format(Locale.ROOT, "\\u%04x", c));
            } else {
                safe.append((char) c);
            }
        });
        byte[] text = LineBuffer.utf8(safe.toString());
        out.append(text, 0, text.length);
        if (isLong) {
            out.ascii("... (").number(end - begin).ascii(" bytes)");
        }
    }
}
