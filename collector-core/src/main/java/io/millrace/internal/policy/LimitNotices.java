package io.millrace.internal.policy;

import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Logs when a rate limit begins or ends to affect a source: at most ten lines per minute. One thread, every second. */
final class LimitNotices {
    static final int LINES_PER_MINUTE = 10;

    /** A source is no longer limited after this many seconds without a refused datagram. */
    static final int QUIET_TICKS = 10;

    private static final int MINUTE_TICKS = 60;
    private static final int MAX_WATCHED = 1000;

    private final List<Watch> watches;
    private int tickOfMinute;
    private int lines;
    private long unreported;

    LimitNotices(List<BucketTable> tables) {
        this.watches = tables.stream().map(Watch::new).toList();
    }

    void tick(Consumer<String> log) {
        if (++tickOfMinute > MINUTE_TICKS) {
            tickOfMinute = 1;
            lines = 0;
            if (unreported > 0) {
                lines++;
                log.accept(unreported
                        + " more notices of rate limits in the last minute; the ledger counts all rejected datagrams");
                unreported = 0;
            }
        }
        watches.forEach(watch -> watch.tick(log));
    }

    private void say(Consumer<String> log, String line) {
        if (lines < LINES_PER_MINUTE) {
            lines++;
            log.accept(line);
        } else {
            unreported++;
        }
    }

    /** The sources or networks of one table that are limited now. */
    private final class Watch {
        private final BucketTable table;
        private final Map<Integer, Limited> limited = new HashMap<>();

        Watch(BucketTable table) {
            this.table = table;
        }

        void tick(Consumer<String> log) {
            Iterator<Map.Entry<Integer, Limited>> all = limited.entrySet().iterator();
            while (all.hasNext()) {
                Map.Entry<Integer, Limited> one = all.next();
                if (one.getValue().hasEnded(table, one.getKey())) {
                    all.remove();
                    say(
                            log,
                            one.getValue().name + " is within its limit again; " + one.getValue().refused
                                    + " of its datagrams were rejected");
                }
            }
            if (table.takeHasRefused()) {
                for (int entry = 0; entry < BucketTable.ENTRIES; entry++) {
                    if (table.refused(entry) > 0 && limited.size() < MAX_WATCHED && !limited.containsKey(entry)) {
                        begin(entry, log);
                    }
                }
            }
        }

        private void begin(int entry, Consumer<String> log) {
            String name = table.name(entry);
            if (name.isEmpty()) {
                // The entry is being recycled: its new source is read in the next second.
                table.lookAgain();
            } else {
                limited.put(entry, new Limited(name, table.refused(entry)));
                say(log, name + " is above its limit of " + table.limit() + ": datagrams above it are rejected");
            }
        }
    }

    /** A source or network that is limited. */
    private static final class Limited {
        private final String name;
        private long refused;
        private int quiet;

        Limited(String name, long refused) {
            this.name = name;
            this.refused = refused;
        }

        /** True if nothing was refused for a while, or the entry has another source now. */
        boolean hasEnded(BucketTable table, int entry) {
            long now = table.refused(entry);
            if (now < refused) {
                return true;
            }
            quiet = now > refused ? 0 : quiet + 1;
            refused = now;
            return quiet >= QUIET_TICKS && table.forgetRefused(entry, now);
        }
    }
}
