package io.millrace.internal.transport.stream;

import static io.millrace.internal.transport.stream.ConnectionState.DRAINING;
import static io.millrace.internal.transport.stream.ConnectionState.ENDED;
import static io.millrace.internal.transport.stream.ConnectionState.READING;
import static io.millrace.internal.transport.stream.ConnectionState.WAITING;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ConnectionStateTest {
    @ParameterizedTest
    @EnumSource
    void endIsFinalAndABacklogWaitsUntilItHasAPlace(ConnectionState state) {
        assertThat(state.closed().hasEnded()).isTrue();
        assertThat(state.closed().waits()).isEqualTo(state.waits());
        assertThat(state.paused()).isEqualTo(state.hasEnded() ? DRAINING : WAITING);
        assertThat(state.resumed()).isEqualTo(state.hasEnded() ? ENDED : READING);
    }
}
