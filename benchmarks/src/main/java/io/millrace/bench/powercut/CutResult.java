package io.millrace.bench.powercut;

import java.util.List;
import java.util.Locale;

/**
 * What a cut lost, and what was wrong after it.
 *
 * @param cut the cut
 * @param answeredMissing answered RELP messages that are not in the recovered journal
 * @param tcp what was lost of TCP
 * @param udp what was lost of UDP
 * @param missing sequence numbers missing in the recovered journal
 * @param ledgerGap the ledger's number of messages that the power failure took
 * @param resent messages that the output delivered before the cut and again
 * @param readyMs how long the service took to be ready on the copy
 * @param violations what was wrong; empty if nothing was
 */
record CutResult(
        Cut cut,
        long answeredMissing,
        Lost tcp,
        Lost udp,
        long missing,
        long ledgerGap,
        long resent,
        long readyMs,
        List<String> violations) {
    static final List<String> COLUMNS = List.of(
            "cut",
            "run",
            "at, s",
            "copy, ms",
            "RELP answered",
            "of these missing",
            "TCP lost",
            "ms",
            "UDP lost",
            "ms",
            "numbers missing",
            "in the ledger",
            "delivered again",
            "ready, ms",
            "violations");

    /**
     * Messages of a source that were sent before the cut and received, and are not in the recovered journal.
     *
     * @param messages how many
     * @param millis how long before the cut the first of them was sent
     */
    record Lost(long messages, long millis) {}

    List<String> cells() {
        return List.of(
                Integer.toString(cut.number()),
                Integer.toString(cut.run()),
                String.format(Locale.ROOT, "%.2f", cut.atMicros() / 1e6),
                String.format(Locale.ROOT, "%.1f", cut.copyMicros() / 1e3),
                number(cut.answered()),
                number(answeredMissing),
                number(tcp.messages()),
                number(tcp.millis()),
                number(udp.messages()),
                number(udp.millis()),
                number(missing),
                number(ledgerGap),
                number(resent),
                number(readyMs),
                Integer.toString(violations.size()));
    }

    private static String number(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }
}
