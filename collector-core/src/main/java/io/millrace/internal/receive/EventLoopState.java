package io.millrace.internal.receive;

/** The state of an event loop. The loop's thread changes it; any thread may read it. */
final class EventLoopState {
    enum State {
        /** Reads sockets when they are readable. */
        RUNNING,
        /** Has no free slab: the events of its sockets are disabled, and it tries again every millisecond. */
        STARVED,
        /** Reads only for the stop, until the sockets are empty. */
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
     * @throws IllegalStateException if this would undo the stop
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
