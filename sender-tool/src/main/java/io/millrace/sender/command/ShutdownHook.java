package io.millrace.sender.command;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Shutdown hook that ends a run in order on SIGINT and SIGTERM. It stops the run and delays the end of the JVM until
 * {@link #close}, or for two seconds. The exit status stays that of the signal.
 */
final class ShutdownHook implements AutoCloseable {
    private static final long MAX_WAIT_SECONDS = 2;

    private final Runnable stop;
    private final CountDownLatch done = new CountDownLatch(1);
    private final Thread hook = new Thread(this::stopAndWait, "millrace-send-stop");

    private ShutdownHook(Runnable stop) {
        this.stop = stop;
    }

    static ShutdownHook install(Runnable stop) {
        ShutdownHook installed = new ShutdownHook(stop);
        Runtime.getRuntime().addShutdownHook(installed.hook);
        return installed;
    }

    /** Removes the hook, or lets the JVM end if it is running. */
    @Override
    public void close() {
        done.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is already ending, and the hook has just been released.
        }
    }

    private void stopAndWait() {
        stop.run();
        try {
            if (!done.await(MAX_WAIT_SECONDS, TimeUnit.SECONDS)) {
                System.err.println("millrace send: the run did not end in 2 s; there is no summary");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
