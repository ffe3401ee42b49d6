package io.millrace.internal.filter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.internal.format.JournalRecord;
import io.millrace.internal.record.TestDatagram;
import io.millrace.message.Filter;
import io.millrace.message.FilterScope;
import io.millrace.message.InputRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FilterListTest {
    @TempDir
    private Path dir;

    private Path file;
    private final JournalRecord record = new JournalRecord(new InputRules(ZoneOffset.UTC, false), Map.of(), false);

    @BeforeEach
    void setUp() {
        file = dir.resolve("hosts.txt");
    }

    private Filter filter(String expression) {
        return Filter.compile(expression.replace("FILE", file.toString()), FilterScope.FILES);
    }

    private JournalRecord from(String host, int... address) throws IOException {
        byte[] ip = new byte[4];
        for (int i = 0; i < address.length; i++) {
            ip[i] = (byte) address[i];
        }
        return record.wrap(
                TestDatagram.of("<13>Nov 21 10:00:00 " + host + " a: user=" + host)
                        .from(ip, 0, 514)
                        .view(),
                "in",
                0,
                1);
    }

    /** Replaces the file as an editor or a deployment tool does. */
    private void replace(String text) throws IOException {
        Path next = dir.resolve("next");
        Files.writeString(next, text);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private static void eventually(Filter filter, JournalRecord of, boolean matches) {
        await().atMost(Duration.ofSeconds(20)).until(() -> filter.matches(of) == matches);
    }

    @Test
    void listHasOneValuePerLine() throws IOException {
        Files.writeString(file, "\ufeff# hosts\r\n\r\n fw1 \r\n\t\n  # more\nfw2\n#fw3\nfw 4");
        Filter in = filter("hostname in file(\"FILE\")");
        Filter not = filter("hostname not in file(\"FILE\")");
        for (String host : new String[] {"fw1", "fw2"}) {
            assertThat(in.matches(from(host))).as(host).isTrue();
            assertThat(not.matches(from(host))).as(host).isFalse();
        }
        for (String host : new String[] {"fw3", "#fw3", "FW1", "fw"}) {
            assertThat(in.matches(from(host))).as(host).isFalse();
            assertThat(not.matches(from(host))).as(host).isTrue();
        }
        assertThat(filter("procid in file(\"FILE\") or procid not in file(\"FILE\")")
                        .matches(from("fw1")))
                .as("a comparison with an absent field is false")
                .isFalse();
        assertThat(filter("fields.user in file(\"FILE\") and message contains \"user\"")
                        .matches(from("fw2")))
                .isTrue();
    }

    @Test
    void listsOfAddressesAndNumbers() throws IOException {
        Files.writeString(
                file, "10.0.0.0/8\n192.0.2.1\n# IPv6\n2001:db8::/32\n172.16.0.0/12\n198.51.100.0/24\n10.1.0.0/16\n");
        Filter in = filter("source_ip in file(\"FILE\")");
        assertThat(in.matches(from("h", 10, 2, 3, 4))).isTrue();
        assertThat(in.matches(from("h", 192, 0, 2, 1))).isTrue();
        assertThat(in.matches(from("h", 192, 0, 2, 2))).isFalse();
        assertThat(filter("source_ip not in file(\"FILE\")").matches(from("h", 192, 0, 2, 2)))
                .isTrue();
        Files.writeString(file, "err\nnotice\n1\n");
        assertThat(filter("severity in file(\"FILE\")").matches(from("h"))).isTrue();
        assertThat(filter("severity not in file(\"FILE\")").matches(from("h"))).isFalse();
        Files.writeString(file, "");
        assertThat(filter("severity in file(\"FILE\")").matches(from("h"))).isFalse();
        assertThat(filter("source_ip in file(\"FILE\") or hostname in file(\"FILE\")")
                        .matches(from("h", 10, 0, 0, 1)))
                .isFalse();
    }

    @Test
    void notInWithoutAFile() throws IOException {
        assertThat(filter("source_ip not in 10.0.0.0/8 and severity not in [err, crit]")
                        .matches(from("h", 192, 0, 2, 1)))
                .isTrue();
        assertThat(filter("source_ip not in [10.0.0.0/8, 192.0.2.0/24] or severity not in [notice]")
                        .matches(from("h", 192, 0, 2, 1)))
                .isFalse();
    }

    @Test
    void changedFileIsReadAgain() throws IOException {
        Files.writeString(file, "fw1\n");
        Filter filter = filter("hostname in file(\"FILE\")");
        JournalRecord fw2 = from("fw2");
        assertThat(filter.matches(fw2)).isFalse();
        replace("fw1\nfw2\n");
        eventually(filter, fw2, true);
        // The same size, in place, within the resolution of the file's time.
        Files.writeString(file, "fw1\nfw3\n");
        eventually(filter, fw2, false);
    }

    @Test
    void lastGoodListStaysWhenTheFileIsBroken() throws IOException {
        Files.writeString(file, "10.0.0.0/8\n");
        Filter filter = filter("source_ip in file(\"FILE\")");
        FileList<TextSet> check = FileList.open(file.toString(), FileList.Lines::texts);
        JournalRecord local = from("h", 10, 0, 0, 1);
        replace("10.0.0.0/8\nnot an address\n");
        // This list takes any text, so it shows when the second that lies between two checks is over.
        await().atMost(Duration.ofSeconds(20))
                .until(() -> check.values().contains("not an address".getBytes(UTF_8), 0, 14) && filter.matches(local));
        Files.delete(file);
        assertThat(filter.matches(local)).isTrue();
        replace("192.0.2.0/24\n");
        eventually(filter, local, false);
    }

    @Test
    void errorsNameTheFileAndTheLine() throws IOException {
        assertThatThrownBy(() -> filter("hostname in file(\"FILE\")"))
                .hasMessageStartingWith(
                        "column 18: \"" + file + "\" is not right: cannot read " + file + ": file does not exist");
        Files.writeString(file, "10.0.0.1\n\n10.0.0.0/33\n");
        assertThatThrownBy(() -> filter("source_ip in file(\"FILE\")"))
                .hasMessageContaining("line 3 of " + file + " is not an address or a network such as 10.0.0.0/8");
        assertThatThrownBy(() -> filter("severity in file(\"FILE\")"))
                .hasMessageContaining("line 1 of " + file + " is not a value of this field");
        assertThatThrownBy(() -> filter("hostname in file(" + file + ")"))
                .hasMessageContaining("the path of a file in double quotes belongs here");
        assertThatThrownBy(() -> filter("hostname in file(\"FILE\""))
                .hasMessageContaining("the end is not right: a ) belongs here");
        assertThatThrownBy(() -> Filter.compile("hostname in file(\"" + dir + "\")", FilterScope.FILES))
                .hasMessageContaining("it is not a regular file");
        assertThatThrownBy(() -> Filter.compile("hostname in file(\"" + file + "\")"))
                .hasMessageContaining("files cannot be named here");
        Filter.compile("hostname in file(\"/no/such/file\") and filter(x)", FilterScope.SYNTAX);
    }

    @Test
    void manyTextsAreFound() {
        java.util.List<byte[]> texts = new java.util.ArrayList<>();
        for (int i = 0; i < 50_000; i++) {
            texts.add(("host-" + i).getBytes(UTF_8));
        }
        TextSet set = TextSet.of(texts);
        assertThat(set.size()).isEqualTo(50_000);
        for (int i = 0; i < 100_000; i++) {
            byte[] text = ("xhost-" + i).getBytes(UTF_8);
            assertThat(set.contains(text, 1, text.length)).isEqualTo(i < 50_000);
        }
    }
}
