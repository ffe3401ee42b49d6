package io.millrace.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.internal.format.JournalRecord;
import io.millrace.message.Explanation;
import io.millrace.message.Filter;
import io.millrace.message.FilterScope;
import io.millrace.message.InputRules;
import io.millrace.message.LineBuffer;
import io.millrace.message.NamedFilters;
import java.io.IOException;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;

/** The first line is an expression, which is also the filter {@code self} that it may use; the rest is a message. */
public final class FilterFuzz extends FuzzTarget {
    private final JournalRecord record = new JournalRecord(new InputRules(ZoneOffset.UTC, false), Map.of(), false);

    /** Made by name. */
    public FilterFuzz() {
        super("filter");
    }

    @Override
    protected void take(byte[] bytes) {
        int end = MessageInput.lineEnd(bytes);
        String expression = new String(bytes, 0, end, UTF_8);
        Filter filter;
        try {
            NamedFilters filters =
                    new NamedFilters(Map.of("self", expression, "errors", "severity <= err and hostname"));
            filter = Filter.compile(expression, FilterScope.NONE.with(filters));
        } catch (IllegalArgumentException e) {
            that(String.valueOf(e.getMessage()).startsWith("column "), e.getMessage());
            return;
        }
        record.wrap(bytes, Math.min(end + 1, bytes.length), bytes.length, MessageInput.NOW_NS);
        boolean first = filter.matches(record);
        that(filter.matches(record) == first, expression);
        that(!filter.uses().contains("self"), expression);
        that(!first || filter.contradiction() == null, expression);
        LineBuffer out = new LineBuffer();
        new Explanation(filter).write(record, 2, out);
        that(out.toString().startsWith(first ? "  yes  " : "  no   "), out.toString());
        that(filter.saysTheSameAs(Filter.compile(" " + expression, FilterScope.SYNTAX)), expression);
    }

    @Override
    protected List<byte[]> seeds() throws IOException {
        return MessageInput.beforeSamples(List.of(
                "severity <= err and hostname == \"fw1\"",
                "not (facility in [auth, authpriv, local0] or message contains \"denied\")",
                "source_ip in 10.0.0.0/8 or source_ip in 2001:db8::/32",
                "receive_time >= \"2026-11-21T10:00:00Z\" and sequence < 1000",
                "parse == \"vendor:cisco\" or appname startswith \"%ASA\"",
                "procid == 42 and truncated == true",
                "fields.action not in [\"deny\", 5] and fields.srcport >= 1.5e3 or sd.exampleSDID@32473.iut == 3",
                "message not matches \"(a+)+$|[^x]{2,5}\\\\pL\" and fields.\"a b\" exists",
                "fields.src == \"192.0.2.5\" or fields.act in [\"deny\", \"drop\"] and not fields.cs1",
                "fields.msg != \"a\" and part == 0 or fields.request contains \"=\"",
                "filter(errors) and not filter(\"errors\") or hostname in file(\"/etc/hosts\") or filter(self)",
                "severity not in [err] and source_ip not in [10.0.0.0/8] and message like \"a\"",
                "severity < 2 and severity > 1 or hostname == \"a\" and hostname in [\"b\", \"c\"]",
                "raw matches \"a.*b\" or fields.http.status < 500"));
    }
}
