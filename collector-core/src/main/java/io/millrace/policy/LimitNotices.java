package io.millrace.policy;

import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Says who begins to be limited, and who no longer is: ten lines a minute at the most. One thread, every second. */
final class LimitNotices {
    static final int LINES_A_MINUTE = 10;

    /** So many seconds without a datagram refused are the end of it. */
    static final int QUIET_TICKS = 10;

    private static final int MINUTE_TICKS = 60;
    private static final int MAX_WATCHED = 1000;

    private final List<Watch> watches;
    private int tickOfMinute;
    private int lines;
    private long untold;

    LimitNotices(List<BucketTable> tables) {
        this.watches = tables.stream().map(Watch::new).toList();
    }

    void tick(Consumer<String> log) {
        if (++tickOfMinute > MINUTE_TICKS) {
            tickOfMinute = 1;
            lines = 0;
            if (untold > 0) {
                lines++;
                log.accept(untold + " more notices of rate limits in the last minute; the ledger has what was refused");
                untold = 0;
            }
        }
        watches.forEach(watch -> watch.tick(log));
    }

    private void say(Consumer<String> log, String line) {
        if (lines < LINES_A_MINUTE) {
            lines++;
            log.accept(line);
        } else {
            untold++;
        }
    }

    /** Those of a table who are limited now. */
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
                                    + " of its datagrams were refused");
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
                // It is being taken over: the next second knows by whom.
                table.lookAgain();
            } else {
                limited.put(entry, new Limited(name, table.refused(entry)));
                say(log, name + " is above its limit of " + table.limit() + ": what is above is refused");
            }
        }
    }

    /** One who is limited. */
    private static final class Limited {
        private final String name;
        private long refused;
        private int quiet;

        Limited(String name, long refused) {
            this.name = name;
            this.refused = refused;
        }

        /** True if nothing was refused for a while, or the entry is another's by now. */
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
