package io.millrace.internal.receive;

import io.netty.channel.IoEventLoop;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls back at a fixed rate while a batch waits for its deadline, and a while longer: a task per batch would be garbage. The loop's
 * thread.
 */
final class DeadlineTicks {
    private static final long TICK_NS = 250_000;
    private static final int MAX_IDLE_TICKS = 400;

    private final IoEventLoop loop;
    private final BooleanSupplier onTick;
    private @Nullable Future<?> task;
    private int idleTicks;

    /**
     * Prepares the ticks.
     *
     * @param onTick returns false if no batch waits
     */
    DeadlineTicks(IoEventLoop loop, BooleanSupplier onTick) {
        this.loop = loop;
        this.onTick = onTick;
    }

    /** Starts the ticks if they do not run. */
    void start() {
        if (task == null) {
            task = loop.scheduleAtFixedRate(this::tick, TICK_NS, TICK_NS, TimeUnit.NANOSECONDS);
        }
    }

    private void tick() {
        if (onTick.getAsBoolean()) {
            idleTicks = 0;
        } else if (++idleTicks > MAX_IDLE_TICKS) {
            stop();
        }
    }

    /** Stops the ticks until the next start. */
    void stop() {
        if (task != null) {
            task.cancel(false);
            task = null;
            idleTicks = 0;
        }
    }
}
