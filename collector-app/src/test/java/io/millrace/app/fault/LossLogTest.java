package io.millrace.app.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.collector.DropReason;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LossLogTest {
    private final List<String> lines = new ArrayList<>();
    private final LossLog log = new LossLog((level, line) -> lines.add(level + " " + line));
    private final Map<DropReason, Long> lost = new EnumMap<>(DropReason.class);

    /** The lines that one check writes. A time of nanoTime() may be negative, and overflow. */
    private List<String> at(long second) {
        lines.clear();
        log.update(lost::get, Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(30) + TimeUnit.SECONDS.toNanos(second));
        return List.copyOf(lines);
    }

    private List<String> at(long second, DropReason reason, long total) {
        lost.put(reason, total);
        return at(second);
    }

    @Test
    void lossHasALineAtOnceOnePerMinuteAndOneAtItsEnd() {
        assertThat(at(0, DropReason.SOCKET_BUFFER, 0)).isEmpty();
        assertThat(at(1, DropReason.SOCKET_BUFFER, 372))
                .containsExactly(
                        "WARN 372 datagrams were lost: Millrace's socket buffers (socketBuffer), 372 since the start;"
                                + " 'millrace doctor' says which buffer or limit is too small;"
                                + " see docs/operate/runbook/socket-buffer.md");
        for (int second = 2; second <= 60; second++) {
            assertThat(at(second, DropReason.SOCKET_BUFFER, 372 + 1000L * second))
                    .isEmpty();
        }
        assertThat(at(61, DropReason.SOCKET_BUFFER, 155_981))
                .containsExactly(
                        "WARN 155,609 datagrams were lost in the last minute: Millrace's socket buffers (socketBuffer),"
                                + " 155,981 since the start; 'millrace doctor' says which buffer or limit is too small;"
                                + " see docs/operate/runbook/socket-buffer.md");
        assertThat(at(120)).isEmpty();
        assertThat(at(121))
                .containsExactly(
                        "INFO No more datagrams are lost: Millrace's socket buffers (socketBuffer); 155,981 were lost within"
                                + " 1 min 0 s, 155,981 since the start");
        assertThat(at(1000)).isEmpty();
    }

    @Test
    void burstIsToldCompletely() {
        assertThat(at(0, DropReason.SOCKET_BUFFER, 10)).hasSize(1);
        assertThat(at(2, DropReason.SOCKET_BUFFER, 5000)).isEmpty();
        assertThat(at(59)).isEmpty();
        assertThat(at(60)).singleElement().asString().startsWith("WARN 4,990 datagrams were lost in the last minute");
        assertThat(at(62)).singleElement().asString().contains("5,000 were lost within 2 s, 5,000 since the start");
        assertThat(at(200, DropReason.SOCKET_BUFFER, 5001))
                .singleElement()
                .asString()
                .startsWith("WARN 1 datagrams");
        assertThat(at(260)).singleElement().asString().contains("; 1 were lost within 1 s, 5,001 since the start");
    }

    @Test
    void reasonsHaveLinesOfTheirOwn() {
        lost.put(DropReason.JOURNAL_FULL, 7L);
        assertThat(at(0, DropReason.SOCKET_BUFFER, 3)).hasSize(2).anyMatch(line -> line.contains("journal blocked"));
    }

    /** What the policy rejects, what the whole host loses, and what the start has said already. */
    @Test
    void othersHaveNone() {
        for (DropReason reason : DropReason.values()) {
            if (!reason.isOurs() || reason.isByPolicy() || reason.stage() == DropReason.Stage.JOURNAL) {
                assertThat(at(0, reason, 5)).as(reason.key()).isEmpty();
            }
        }
    }
}
