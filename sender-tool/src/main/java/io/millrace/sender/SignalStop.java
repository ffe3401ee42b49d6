package io.millrace.sender;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a run end properly on SIGINT and SIGTERM: the JVM then runs this hook, which asks for the stop and holds the
 * JVM's end back until {@link #close}, or for two seconds. The exit status stays the signal's own.
 */
final class SignalStop implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 2;

    private final Runnable stop;
    private final CountDownLatch done = new CountDownLatch(1);
    private final Thread hook = new Thread(this::stopAndWait, "millrace-send-stop");

    private SignalStop(Runnable stop) {
        this.stop = stop;
    }

    static SignalStop install(Runnable stop) {
        SignalStop installed = new SignalStop(stop);
        Runtime.getRuntime().addShutdownHook(installed.hook);
        return installed;
    }

    /** Says that everything has been told, and takes the hook back. */
    @Override
    public void close() {
        done.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is ending already, and the hook has just been let go.
        }
    }

    private void stopAndWait() {
        stop.run();
        try {
            if (!done.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                System.err.println("millrace send: the run did not end in time; there is no summary");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
