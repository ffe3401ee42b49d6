package io.millrace.internal.agent;

import io.millrace.internal.text.ErrorText;
import java.lang.Thread.UncaughtExceptionHandler;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The threads without which a collector does not do its work. The first one that ends with an error, or although nobody told it to,
 * reports that itself. Any thread.
 */
public final class NeededThreads implements UncaughtExceptionHandler {
    private final UncaughtExceptionHandler listener;
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final AtomicBoolean reported = new AtomicBoolean();
    /** Created now, because there may be no memory for it later. */
    private final IllegalStateException endedSilently = new IllegalStateException("the thread has ended");

    private volatile boolean released;
    private volatile @Nullable String problem;

    /**
     * Creates the list.
     *
     * @param listener called once, on any thread, with the first thread that has ended and the reason
     */
    public NeededThreads(UncaughtExceptionHandler listener) {
        this.listener = listener;
        // Where it was created says nothing about the thread.
        endedSilently.setStackTrace(new StackTraceElement[0]);
    }

    /** Adds a thread whose work is {@link #guarded}, before it starts, and becomes its handler of uncaught exceptions. */
    public void add(Thread thread) {
        thread.setUncaughtExceptionHandler(this);
        threads.add(thread);
    }

    /** The work of a needed thread, which reports its end. */
    public Runnable guarded(Runnable work) {
        return () -> {
            try {
                work.run();
            } catch (RuntimeException | Error e) {
                uncaughtException(Thread.currentThread(), e);
                return;
            }
            if (!released && threads.contains(Thread.currentThread())) {
                uncaughtException(Thread.currentThread(), endedSilently);
            }
        };
    }

    /** Removes a thread that is told to end. */
    void remove(Thread thread) {
        threads.remove(thread);
    }

    /** The threads are told to end. Their errors are still reported. */
    public void release() {
        released = true;
        threads.clear();
    }

    @Override
    public void uncaughtException(Thread thread, Throwable e) {
        if (reported.compareAndSet(false, true)) {
            listener.uncaughtException(thread, e);
            problem = "the thread " + thread.getName() + " has ended: " + ErrorText.of(e) + "; restart the service";
        }
    }

    /** Why the collector does not do its work any more; null if all threads live. */
    public @Nullable String problem() {
        return problem;
    }
}
