package io.millrace.bench.powercut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class RelpAnswersTest {
    private static RelpAnswers answers(String text) {
        return new RelpAnswers(new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII)));
    }

    @Test
    void readsOneAnswerAfterTheOther() throws IOException {
        RelpAnswers answers = answers("1 rsp 17 200 OK\ncommands=x\n12 rsp 6 200 OK\n");
        assertThat(answers.read()).isEqualTo(1);
        assertThat(answers.hasMore()).isTrue();
        assertThat(answers.read()).isEqualTo(12);
        assertThat(answers.hasMore()).isFalse();
        assertThatThrownBy(answers::read).isInstanceOf(EOFException.class);
    }

    @Test
    void aRefusalIsNoAnswer() {
        assertThatThrownBy(() -> answers("2 rsp 9 500 error\n").read()).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> answers("0 serverclose 0\n").read()).isInstanceOf(IOException.class);
    }
}
