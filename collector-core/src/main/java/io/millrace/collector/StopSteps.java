package io.millrace.collector;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Runs all steps of a stop, even if some fail, and keeps the first failure. One thread. */
final class StopSteps {
    /** A step. */
    @FunctionalInterface
    interface Step {
        void run() throws IOException, InterruptedException;
    }

    private @Nullable IOException failure;

    /** Runs a step; returns true if it did not fail. */
    boolean run(Step step) {
        try {
            step.run();
            return true;
        } catch (IOException e) {
            add(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            add(new IOException("interrupted while stopping", e));
        } catch (RuntimeException | Error e) {
            add(new IOException("a step of the stop failed: " + e, e));
        }
        return false;
    }

    private void add(IOException e) {
        if (failure == null) {
            failure = e;
        } else {
            failure.addSuppressed(e);
        }
    }

    void throwFirst() throws IOException {
        if (failure != null) {
            throw failure;
        }
    }
}
