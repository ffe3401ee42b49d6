package io.millrace.internal.transport.relp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

class RelpAnswersTest {
    private final RelpAnswers answers = new RelpAnswers();

    private String write(long safe) {
        ByteBuf out = Unpooled.buffer();
        answers.write(safe, out);
        assertThat(out.writerIndex()).isLessThanOrEqualTo(out.capacity());
        return out.toString(ISO_8859_1);
    }

    @Test
    void answersWaitForTheirBatchAndForEarlierOnes() {
        answers.open(1, 0);
        answers.message(2, 0);
        answers.message(999_999_999, 1);
        answers.unknown(1);
        answers.close(2);
        assertThat(answers.isDue(0)).isTrue();
        assertThat(write(0)).isEqualTo("1 rsp 60 200 OK\nrelp_version=0\nrelp_software=millrace\ncommands=syslog\n");
        assertThat(answers.isOpen()).isTrue();
        assertThat(answers.isDue(0)).isFalse();
        assertThat(write(0)).isEmpty();
        assertThat(write(1)).isEqualTo("2 rsp 6 200 OK\n");
        assertThat(write(2)).isEqualTo("""
                        999999999 rsp 6 200 OK
                        1 rsp 23 500 unsupported command
                        2 rsp 6 200 OK
                        0 serverclose 0
                        """);
        assertThat(answers.isEmpty()).isTrue();
        assertThat(answers.isOpen()).isFalse();
    }

    @Test
    void memoryIsBoundedAndUsedAgain() {
        int next = 1;
        int answered = 1;
        for (int round = 0; round < 10; round++) {
            for (; !answers.isFull(); next++) {
                answers.message(next, next);
            }
            assertThat(next - answered).isEqualTo(RelpAnswers.MAX_PENDING);
            assertThat(answers.maxBytes()).isLessThan(20_000);
            String written = write(answered + 700L) + write(answered + 700L) + write(answered + 700L);
            for (int i = 0; i < 700; i++, answered++) {
                assertThat(written).startsWith(answered + " rsp 6 200 OK\n");
                written = written.substring(written.indexOf('\n') + 1);
            }
            assertThat(written).isEmpty();
        }
    }
}
