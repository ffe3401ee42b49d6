package io.millrace.receive;

/** The state of an event loop, and the one place where it changes. The loop's thread changes it; any thread may ask. */
final class EventLoopState {
    /** What an event loop does. */
    enum State {
        /** Reads its sockets as they become readable. */
        RUNNING,
        /** Has no free slab: its sockets are not reported, and it looks for a slab each millisecond. */
        STARVED,
        /** Reads what waits in the sockets, for the stop; nothing is read for other reasons any more. */
        DRAINING,
        /** Reads nothing any more. */
        CLOSED;

        private boolean canBecome(State next) {
            return switch (this) {
                case RUNNING -> true;
                case STARVED -> true;
                case DRAINING -> next == DRAINING || next == CLOSED;
                case CLOSED -> next == CLOSED;
            };
        }
    }

    private volatile State state = State.RUNNING;

    /**
     * Changes the state.
     *
     * @throws IllegalStateException if the stop would be taken back
     */
    void become(State next) {
        if (!state.canBecome(next)) {
            throw new IllegalStateException("an event loop that is " + state + " cannot become " + next);
        }
        state = next;
    }

    boolean isRunning() {
        return state == State.RUNNING;
    }

    boolean isStarved() {
        return state == State.STARVED;
    }

    boolean isDraining() {
        return state == State.DRAINING;
    }

    boolean isClosed() {
        return state == State.CLOSED;
    }

    /** True before the stop. */
    boolean isActive() {
        return isRunning() || isStarved();
    }
}
