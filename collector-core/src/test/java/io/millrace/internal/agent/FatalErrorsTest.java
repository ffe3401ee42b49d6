package io.millrace.internal.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class FatalErrorsTest {
    @Test
    void exhaustedMemoryIsFatalAlsoAsACause() {
        assertThat(FatalErrors.isFatal(new OutOfMemoryError("Java heap space"))).isTrue();
        assertThat(FatalErrors.isFatal(new IOException(new RuntimeException(new OutOfMemoryError()))))
                .isTrue();
        assertThat(FatalErrors.isFatal(new UnknownError())).isTrue();
    }

    /** A disk that fails under a mapped file, and a message that recurses: the thread goes on. */
    @Test
    void errorsOfOneCallAreNotFatal() {
        for (Throwable e : List.of(
                new InternalError("a fault occurred in an unsafe memory access operation"),
                new StackOverflowError(),
                new NoClassDefFoundError(),
                new AssertionError(),
                new IOException("Too many open files"))) {
            assertThat(FatalErrors.isFatal(e)).as("%s", e).isFalse();
        }
    }

    @Test
    void causesThatFormACircleEnd() {
        IOException a = new IOException("a");
        IOException b = new IOException("b", a);
        a.initCause(b);
        assertThat(FatalErrors.isFatal(a)).isFalse();
    }

    @Test
    void fatalErrorIsThrownAsItIs() {
        OutOfMemoryError error = new OutOfMemoryError();
        assertThatThrownBy(() -> FatalErrors.rethrow(error)).isSameAs(error);
        assertThatThrownBy(() -> FatalErrors.rethrow(new IOException(error))).hasRootCause(error);
        FatalErrors.rethrow(new IOException("harmless"));
    }

    @Test
    void repeatedTaskSurvivesExceptionsAndReportsFatalErrors() throws InterruptedException {
        List<Throwable> reported = new ArrayList<>();
        AtomicInteger calls = new AtomicInteger();
        Runnable task = FatalErrors.survivor("The test", LoggerFactory.getLogger(FatalErrorsTest.class), () -> {
            if (calls.incrementAndGet() == 1) {
                throw new IllegalStateException("thrown by the test, as it should be");
            }
            throw new OutOfMemoryError("thrown by the test, as it should be");
        });
        Thread thread = new Thread(() -> {
            task.run();
            task.run();
        });
        thread.setUncaughtExceptionHandler((of, e) -> reported.add(e));
        thread.start();
        thread.join();
        assertThat(reported).singleElement().isInstanceOf(OutOfMemoryError.class);
    }
}
