package io.millrace.internal.format;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.millrace.internal.format.template.TemplateFormat;
import io.millrace.internal.record.TestDatagram;
import io.millrace.journal.DatagramView;
import io.millrace.message.Filter;
import io.millrace.message.InputRules;
import io.millrace.message.LineBuffer;
import io.millrace.message.LineFormat;
import io.millrace.message.SyslogMessage.Field;
import java.lang.management.ManagementFactory;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A datagram whose lines are messages. */
class LogRecordTest {
    private static final InputRules WHOLE = new InputRules(ZoneOffset.UTC, false);
    private static final InputRules LINES = new InputRules(ZoneOffset.UTC, true);

    private final JournalRecord record = new JournalRecord(WHOLE, Map.of("many", LINES), true);
    private final LineBuffer out = new LineBuffer();

    private List<String> written(LineFormat format, DatagramView datagram, String input) {
        List<String> lines = new ArrayList<>();
        record.wrap(datagram, input, 1, 42);
        do {
            out.clear();
            format.write(record, out);
            lines.add(out.toString());
        } while (record.nextPart());
        return lines;
    }

    private List<String> written(String template, String payload, String input) {
        return written(TemplateFormat.of(template), TestDatagram.of(payload).view(), input);
    }

    @Test
    void splitsLinesIfConfigured() {
        String payload = "<11>Nov 21 10:00:00 h a: one\n\n<13>Nov 21 10:00:00 h b: two\r\n";
        assertThat(written("{part} {severity} {appname} {message} {sequence} [{raw}]", payload, "many"))
                .containsExactly(
                        "0 err a one 42 [<11>Nov 21 10:00:00 h a: one]\n",
                        "1 notice b two 42 [<13>Nov 21 10:00:00 h b: two]\n");
        assertThat(written("{part} {message}", payload, "other"))
                .containsExactly("- one#012#012<13>Nov 21 10:00:00 h b: two\n");
    }

    @Test
    void singleMessageHasNoPart() {
        assertThat(written("{part} {message}", "\n<13>Nov 21 10:00:00 h a: x\n", "many"))
                .containsExactly("- x\n");
        assertThat(written("{part} [{raw}]", "\n\n", "many")).containsExactly("- [#012#012]\n");
        assertThat(written(new JsonFormat(), TestDatagram.of("x\n").view(), "many")
                        .get(0))
                .doesNotContain("part");
    }

    @Test
    void jsonAndLogfmtWriteThePart() {
        DatagramView datagram = TestDatagram.of("a\nb").truncated(true).view();
        List<String> json = written(new JsonFormat(), datagram, "many");
        assertThat(json.get(0)).contains("\"sequence\":42,\"part\":0,\"parse\":\"raw\"}");
        assertThat(json.get(1))
                .as("the last is the one that was interrupted")
                .contains("\"sequence\":42,\"part\":1,\"parse\":\"raw\",\"truncated\":true}");
        assertThat(written(new LogfmtFormat(), datagram, "many").get(1)).contains(" sequence=42 part=1 ");
    }

    @Test
    void octetCountMayIncludeTheLineEnding() {
        String line = "<13>Nov 21 10:00:00 h a: x\n";
        String payload = line.length() + " " + line + (line.length() - 1) + " " + line;
        assertThat(written("{appname} {message}", payload, "many")).containsExactly("a x\n", "a x\n");
    }

    @Test
    void filtersTestTheSplitMessage() {
        Filter filter = Filter.compile("part == 1 and message == \"b\" and raw == \"<13>b\" and severity == notice");
        List<Boolean> matched = new ArrayList<>();
        record.wrap(TestDatagram.of("<11>b\n<13>b\n<13>c").view(), "many", 0, 0);
        do {
            matched.add(filter.matches(record));
        } while (record.nextPart());
        assertThat(matched).containsExactly(false, true, false);
        assertThat(Filter.compile("part")
                        .matches(record.wrap(TestDatagram.of("b\n").view(), "many", 0, 0)))
                .isFalse();
        byte[] line = "a\nb".getBytes(UTF_8);
        assertThat(record.wrap(line, 0, line.length, 0).isPart())
                .as("a line of a file")
                .isFalse();
        assertThat(record.message().text(Field.MESSAGE)).isEqualTo("a\nb");
    }

    @Test
    void splittingFilteringAndWritingAllocatesNothing() {
        String cef = "<13>Nov 21 10:00:00 h a: CEF:0|v|p|1|100|scan|5|src=10.0.0.1 msg=a \\= b msg=c";
        String other = "<13>1 2026-11-21T10:00:00Z h a - - [a@1 b=\"\\\"\"] text";
        DatagramView datagram = TestDatagram.of(cef + "\n" + other).view();
        LineFormat json = new JsonFormat();
        Filter filter = Filter.compile("fields.msg == \"a = b\" or part > 0 or fields.dst in [\"a\", \"b\"]");
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = 0;
        int rounds = 50_000;
        int matches = 0;
        for (int round = -rounds; round < rounds; round++) {
            if (round == 0) {
                before = threads.getCurrentThreadAllocatedBytes();
            }
            out.clear();
            record.wrap(datagram, "many", 0, 0);
            do {
                matches += filter.matches(record) ? 1 : 0;
                json.write(record, out);
            } while (record.nextPart());
        }
        long bytes = threads.getCurrentThreadAllocatedBytes() - before;
        assertThat(matches).isEqualTo(4 * rounds);
        assertThat((double) bytes / rounds).as("bytes per datagram").isLessThan(0.1);
    }
}
