package io.millrace.jni;

import io.millrace.collector.PassingContract;
import org.junit.jupiter.api.BeforeAll;

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
}
