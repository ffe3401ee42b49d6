package io.millrace.jni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.millrace.collector.BoundSocket;
import io.millrace.collector.Collector;
import io.millrace.collector.PassingContract;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Sockets that are passed between processes, for {@code native}. */
class NativePassingTest extends PassingContract {
    @BeforeAll
    static void needsTheLibrary() {
        Library.isNeeded();
    }

    @Override
    protected String transport() {
        return "native";
    }

    /** Its buffer may hold GRO batches. Without GRO, each would be read as one datagram. */
    @Test
    void socketReadWithGroIsRejectedIfGroIsOff() throws IOException {
        Collector first = builder(0, 1).gro(true).build().start();
        int port = first.addresses().get(0).getPort();
        List<BoundSocket> refused = duplicates(first, false);
        List<BoundSocket> taken = duplicates(first, false);
        first.handoff(ns -> {});
        assertThatIOException()
                .isThrownBy(
                        () -> builder(port, 1).adopt(refused).build().start().close())
                .withMessageContaining("was read with gro on")
                .withMessageContaining("leave gro on");
        send(port, 0, 10);
        try (Collector second = builder(port, 1).gro(true).adopt(taken).build().start()) {
            assertThat(journaled(second, 10)).hasSize(10);
        }
    }
}
