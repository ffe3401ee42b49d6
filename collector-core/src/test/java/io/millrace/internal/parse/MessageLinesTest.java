package io.millrace.internal.parse;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MessageLinesTest {
    private final MessageLines lines = new MessageLines();

    private List<String> cut(String text) {
        byte[] bytes = ("x\n" + text + "\ny").getBytes(UTF_8);
        List<String> found = new ArrayList<>();
        lines.wrap(bytes, 2, bytes.length - 2);
        do {
            found.add(new String(bytes, lines.begin(), lines.end() - lines.begin(), UTF_8));
        } while (lines.next());
        assertThat(lines.hasNext()).isFalse();
        return found;
    }

    @Test
    void removesLineEndings() {
        assertThat(cut("a\nb\r\nc")).containsExactly("a", "b", "c");
        assertThat(cut("a\r\n")).containsExactly("a");
        assertThat(cut("a\rb\r\r\nc\r")).containsExactly("a\rb\r", "c\r");
    }

    @Test
    void skipsEmptyLines() {
        assertThat(cut("\n\r\na\n\n\n\0\nb\n\0")).containsExactly("a", "b");
        assertThat(cut("a\n \nb")).as("a space is something").containsExactly("a", " ", "b");
        assertThat(cut("\n\0a\n")).containsExactly("\0a");
    }

    @Test
    void emptyPayloadIsOneMessage() {
        assertThat(cut("")).containsExactly("");
        assertThat(cut("\n\n")).containsExactly("\n\n");
        assertThat(cut("\r\n\0")).containsExactly("\r\n\0");
    }

    @Test
    void lineIncludesItsLineEnding() {
        byte[] bytes = "a\r\n\nb".getBytes(UTF_8);
        lines.wrap(bytes, 0, bytes.length);
        assertThat(lines.lineEnd()).isEqualTo(3);
        assertThat(lines.next()).isTrue();
        assertThat(lines.lineEnd()).isEqualTo(5);
        lines.whole(bytes, 0, bytes.length);
        assertThat(lines.next()).isFalse();
        assertThat(lines.end()).isEqualTo(5);
        assertThat(lines.lineEnd()).isEqualTo(5);
    }

    @Test
    void lastMessageBeyondTheLimitHasTheRemainder() {
        byte[] bytes = "a\n".repeat(5_000).getBytes(UTF_8);
        MessageLines lines = new MessageLines();
        lines.wrap(bytes, 0, bytes.length);
        int count = 1;
        while (lines.next()) {
            count++;
        }
        assertThat(count).isEqualTo(MessageLines.MAX_MESSAGES);
        assertThat(new String(bytes, lines.begin(), lines.end() - lines.begin(), UTF_8))
                .isEqualTo("a\n".repeat(5_000 - MessageLines.MAX_MESSAGES) + "a");
    }
}
