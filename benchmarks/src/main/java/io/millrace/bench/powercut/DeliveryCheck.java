package io.millrace.bench.powercut;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What an output delivered before a cut and after the recovery, beside the recovered journal. Together the two have to be every message
 * of the journal, and a sequence number has to mean the same message in all three.
 */
final class DeliveryCheck {
    private long never;
    private @Nullable String firstNever;
    private long twoMeanings;
    private @Nullable String firstTwoMeanings;
    private long resent;
    private long lost;

    private DeliveryCheck() {}

    /**
     * Compares them.
     *
     * @param before the file of the output
     * @param bytesBefore the length of that file at the cut
     * @param journal the recovered journal
     * @param after what the recovered service delivered
     */
    static DeliveryCheck of(DeliveredFile before, long bytesBefore, JournalContent journal, DeliveredFile after) {
        DeliveryCheck check = new DeliveryCheck();
        journal.ids().forEach((shard, sequence, id) -> {
            long earlier = before.idBefore(bytesBefore, shard, sequence);
            if (earlier != ShardTable.ABSENT && earlier != id) {
                check.addTwoMeanings(shard, sequence, earlier, id);
            } else if (earlier != id && after.ids().get(shard, sequence) != id) {
                check.addNever(shard, sequence, id);
            }
        });
        after.ids().forEach((shard, sequence, id) -> {
            if (before.idBefore(bytesBefore, shard, sequence) == id) {
                check.resent++;
            }
            long journaled = journal.ids().get(shard, sequence);
            if (journaled != id) {
                check.addTwoMeanings(shard, sequence, journaled, id);
            }
        });
        before.ids().forEach((shard, sequence, id) -> {
            if (before.idBefore(bytesBefore, shard, sequence) != ShardTable.ABSENT
                    && journal.ids().get(shard, sequence) == ShardTable.ABSENT) {
                check.lost++;
            }
        });
        return check;
    }

    private void addNever(int shard, long sequence, long id) {
        never++;
        if (firstNever == null) {
            firstNever = MessageId.text(id) + " at " + shard + "-" + sequence;
        }
    }

    private void addTwoMeanings(int shard, long sequence, long id, long other) {
        twoMeanings++;
        if (firstTwoMeanings == null) {
            firstTwoMeanings = MessageId.text(id) + " and " + MessageId.text(other) + " at " + shard + "-" + sequence;
        }
    }

    /** Messages that were delivered before the cut and again. */
    long resent() {
        return resent;
    }

    /** What was wrong; empty if nothing was. */
    List<String> problems(long ledgerGap) {
        List<String> found = new ArrayList<>();
        if (never > 0) {
            found.add(format("%,d messages of the journal were never delivered, such as %s", never, firstNever));
        }
        if (twoMeanings > 0) {
            found.add(format("%,d sequence numbers have two messages, such as %s", twoMeanings, firstTwoMeanings));
        }
        if (lost > ledgerGap) {
            found.add(format(
                    "%,d messages that were delivered are not in the journal, and the ledger says %,d",
                    lost, ledgerGap));
        }
        return found;
    }

    private static String format(String text, @Nullable Object... args) {
        return String.format(Locale.ROOT, text, args);
    }
}
