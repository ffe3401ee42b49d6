package io.millrace.internal.parse;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the page's examples do not show. */
class ExtensionTest {
    private static final long NOW_NS = 1_795_262_400_000_000_000L;
    private static final String CEF = "CEF:0|v|p|1|100|name|5|";
    private static final String LEEF = "LEEF:2.0|v|p|1|41|";

    private final SyslogParser parser = new SyslogParser(ZoneOffset.UTC);
    private final ParsedMessage message = new ParsedMessage();
    private final Extension extension = new Extension();

    private List<String> read(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        parser.parse(bytes, 0, bytes.length, NOW_NS, message);
        extension.wrap(message);
        List<String> found = new ArrayList<>();
        while (extension.next()) {
            extension.unescape();
            String key = new String(bytes, extension.nameBegin(), extension.nameEnd() - extension.nameBegin(), UTF_8);
            int begin = extension.plainBegin();
            found.add(key + ":" + new String(extension.plainBytes(), begin, extension.plainEnd() - begin, UTF_8));
        }
        return found;
    }

    @Test
    void valueEndsBeforeTheNextKey() {
        assertThat(read(CEF + "msg=two words  src=10.0.0.1 end= act=a=b?c=d x "))
                .containsExactly("msg:two words", "src:10.0.0.1", "end:", "act:a=b?c=d x");
        assertThat(read(CEF + "request=http://h/?a=b&c\\=d ad.x[0]=1 _y-z=\u00e4"))
                .containsExactly("request:http://h/?a=b&c=d", "ad.x[0]:1", "_y-z:\u00e4");
    }

    @Test
    void unescapesCefValues() {
        assertThat(read(CEF + "a=x \\= y b=C:\\\\t\\\\ c=1\\n2\\r3 d=\\q \\| e=\\\\=f g=\\"))
                .containsExactly("a:x = y", "b:C:\\t\\", "c:1\n2\r3", "d:\\q \\|", "e:\\=f", "g:\\");
        assertThat(read(CEF + "a=x b\\=c d=e"))
                .as("an escaped equals sign ends no key")
                .containsExactly("a:x b=c", "d:e");
    }

    @Test
    void headerMayContainEscapedBars() {
        assertThat(read("CEF: 0|v|p|1|100|a \\| b \\\\|5|src=1")).containsExactly("src:1");
    }

    @Test
    void leefSeparatorIsTabOrFromTheHeader() {
        assertThat(read("LEEF:1.0|v|p|1|41|src=1 b=2\tdst=C:\\new\t\tx=\t"))
                .containsExactly("src:1 b=2", "dst:C:\\new", "x:");
        assertThat(read(LEEF + "^|src=1\t^dst=2^")).containsExactly("src:1\t", "dst:2");
        assertThat(read(LEEF + "x09|src=1\tdst=2")).containsExactly("src:1", "dst:2");
        assertThat(read(LEEF + "0X5E|src=1^dst=2")).containsExactly("src:1", "dst:2");
        assertThat(read(LEEF + "|src=1\tdst=2")).containsExactly("src:1", "dst:2");
        assertThat(read(LEEF + "src=1\tdst=2|3")).as("without a separator").containsExactly("src:1", "dst:2|3");
        assertThat(read(LEEF + "a=1|2\tb=3")).as("a bar that ends no separator").containsExactly("a:1|2", "b:3");
    }

    @Test
    void textWithoutAKeyBelongsToThePreviousValue() {
        assertThat(read("LEEF:1.0|v|p|1|41|a=1\tno pair\t=\tb=2")).containsExactly("a:1\tno pair\t=", "b:2");
        assertThat(read(CEF + "no key a=1 =2 b=3")).as("before the first key").containsExactly("a:1 =2", "b:3");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CEF:0",
                "CEF:0|v|p|1|100|name|5",
                "CEF:0|v|p|1|100|name|5|",
                "CEF:0|v|p|1|100|name|5|no key at all",
                "CEF:0|v|p|1|100|name|5|=",
                "CEF:0|v|p|1|100|name\\|5|src=1",
                "CEF:0|v|p|1|100|name|5\\",
                "LEEF:2.0",
                "LEEF:2.0|v|p|1|41|",
                "LEEF:2.0|v|p|1|41|=|a=1=b=2",
                "LEEF:2.0|v|p|1|41|x|",
                "<13>src=1 dst=2",
                "",
            })
    void otherMessagesHaveNoExtension(String text) {
        assertThat(read(text)).isEmpty();
    }

    @Test
    void iterationAllocatesNothing() throws IOException {
        List<byte[]> samples = new ArrayList<>();
        Samples.documented("fields").forEach(sample -> samples.add(sample.message()));
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = 0;
        int rounds = 20_000;
        int keys = 0;
        for (int round = -rounds; round < rounds; round++) {
            if (round == 0) {
                before = threads.getCurrentThreadAllocatedBytes();
            }
            for (int i = 0; i < samples.size(); i++) {
                byte[] sample = samples.get(i);
                parser.parse(sample, 0, sample.length, NOW_NS, message);
                extension.wrap(message);
                while (extension.next()) {
                    extension.unescape();
                    keys++;
                }
            }
        }
        long bytes = threads.getCurrentThreadAllocatedBytes() - before;
        assertThat(keys).isPositive();
        assertThat((double) bytes / rounds / samples.size())
                .as("bytes per message")
                .isLessThan(0.1);
    }
}
