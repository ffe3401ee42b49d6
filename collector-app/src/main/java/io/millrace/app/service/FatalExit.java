package io.millrace.app.service;

import io.millrace.internal.agent.FatalErrors;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the process when it cannot do its work any more: with a last line in the log, and with an exit code that makes a
 * supervisor start it again. It halts the JVM, because a stop may wait for memory, or for the thread that has ended. What is
 * journaled and counted is in mapped files, which survive that. Any thread.
 */
public final class FatalExit {
    /** The exit code of the JVM's option ExitOnOutOfMemoryError. */
    public static final int CODE = 3;

    private static final Logger LOG = LoggerFactory.getLogger(FatalExit.class);
    /** How long the last line may take, for example while nobody reads standard error. */
    private static final long MAX_LOG_MS = 500;

    private static final CountDownLatch ENDING = new CountDownLatch(1);
    private static final AtomicBoolean INSTALLED = new AtomicBoolean();
    /** Written if there is no memory for the line with the reason. */
    private static final byte[] SHORT_LINE =
            "millrace: out of memory; the service ends with exit code 3\n".getBytes(StandardCharsets.US_ASCII);

    private FatalExit() {}

    /** Makes errors end this process that no thread catches: those for which it cannot continue, and any of the main thread. */
    public static void install() {
        if (!INSTALLED.compareAndSet(false, true)) {
            return;
        }
        Thread main = Thread.currentThread();
        // Started now, because there may be no memory for a thread later.
        Thread halt = new Thread(FatalExit::haltInTime, "millrace-halt");
        halt.setDaemon(true);
        halt.start();
        Thread.setDefaultUncaughtExceptionHandler((thread, e) -> {
            if (thread == main || FatalErrors.isFatal(e)) {
                end(thread, e);
            } else {
                LOG.error("{} has ended", thread.getName(), e);
            }
        });
    }

    /** Ends the process, because this thread has ended for this reason. */
    public static void end(Thread thread, Throwable reason) {
        try {
            ENDING.countDown();
            LOG.error(
                    "{} cannot continue: {}. The service ends with exit code {}",
                    thread.getName(),
                    reason,
                    CODE,
                    reason);
        } catch (Throwable e) {
            writeShortLine();
        } finally {
            Runtime.getRuntime().halt(CODE);
        }
    }

    private static void haltInTime() {
        try {
            ENDING.await();
            TimeUnit.MILLISECONDS.sleep(MAX_LOG_MS);
            Runtime.getRuntime().halt(CODE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void writeShortLine() {
        try (FileOutputStream err = new FileOutputStream(FileDescriptor.err)) {
            err.write(SHORT_LINE);
        } catch (IOException e) {
            // The exit code says it.
        }
    }
}
