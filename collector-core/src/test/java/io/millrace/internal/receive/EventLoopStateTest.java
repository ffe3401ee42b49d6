package io.millrace.internal.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.millrace.internal.receive.EventLoopState.State;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EventLoopStateTest {
    private static final Map<State, Set<State>> PERMITTED = new EnumMap<>(Map.of(
            State.RUNNING, Set.of(State.values()),
            State.STARVED, Set.of(State.values()),
            State.DRAINING, Set.of(State.DRAINING, State.CLOSED),
            State.CLOSED, Set.of(State.CLOSED)));

    private static EventLoopState in(State state) {
        EventLoopState made = new EventLoopState();
        made.become(state);
        return made;
    }

    @ParameterizedTest
    @EnumSource
    void onlyPermittedTransitionsHappen(State from) {
        for (State to : State.values()) {
            EventLoopState state = in(from);
            if (PERMITTED.get(from).contains(to)) {
                state.become(to);
                assertThat(is(state, to)).isTrue();
            } else {
                assertThatIllegalStateException()
                        .isThrownBy(() -> state.become(to))
                        .withMessage("an event loop that is " + from + " cannot become " + to);
                assertThat(is(state, from)).isTrue();
            }
        }
    }

    private static boolean is(EventLoopState state, State wanted) {
        return switch (wanted) {
            case RUNNING -> state.isRunning();
            case STARVED -> state.isStarved();
            case DRAINING -> state.isDraining();
            case CLOSED -> state.isClosed();
        };
    }

    @Test
    void isActiveUntilTheStop() {
        assertThat(in(State.RUNNING).isActive()).isTrue();
        assertThat(in(State.STARVED).isActive()).isTrue();
        assertThat(in(State.DRAINING).isActive()).isFalse();
        assertThat(in(State.CLOSED).isActive()).isFalse();
    }
}
