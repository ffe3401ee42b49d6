package io.millrace.simulation;

import java.util.SplittableRandom;

/** What a {@link SimulatedDisk} does to the calls of a process: it fails, is slow, or ends the process before a call. */
final class DiskFaults {
    private final SplittableRandom random;
    private final SimulatedClock clock;
    /** One of so many writes, syncs and reads fails; 0 for none. */
    int failing;
    /** No block can be allocated. */
    boolean full;
    /** One of so many calls is slow; 0 for none. */
    int slow;
    /** The process ends before this call; negative if it does not. */
    long callsToCrash = -1;

    DiskFaults(SplittableRandom random, SimulatedClock clock) {
        this.random = random;
        this.clock = clock;
    }

    void none() {
        failing = 0;
        full = false;
        slow = 0;
        callsToCrash = -1;
    }

    /** True if the process ends now. */
    boolean crashesNow() {
        return callsToCrash >= 0 && callsToCrash-- == 0;
    }

    boolean failsNow() {
        return failing > 0 && random.nextInt(failing) == 0;
    }

    void delay() {
        if (slow > 0 && random.nextInt(slow) == 0) {
            clock.advance(random.nextInt(1_000_000_000));
        }
    }
}
