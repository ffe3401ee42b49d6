package io.millrace.app.command.journal;

import io.millrace.app.command.DataOption;
import io.millrace.app.config.PointInTime;
import io.millrace.app.config.ValueTypes;
import io.millrace.app.report.Json;
import io.millrace.deliver.Positions;
import io.millrace.deliver.SinkPositions;
import io.millrace.deliver.StartAt;
import io.millrace.journal.read.Journal;
import io.millrace.journal.read.Position;
import java.io.IOException;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace journal positions}: prints the positions of the outputs. */
@Command(
        name = "positions",
        description = "Print the position of each output; or, with the service stopped, change it.",
        footer = {
            "",
            "Examples:",
            "  millrace journal positions --json",
            "  millrace journal positions --set kafka=2026-11-21T08:00:00Z      deliver again from then on",
            "  millrace journal positions --set archive=begin",
            "  millrace journal positions --set archive=0/41000                 shard 0 from there, other shards"
                    + " unchanged",
            "  millrace journal positions --forget archive                      an output of this name starts"
                    + " again",
        })
final class PositionsCommand extends DataOption implements Callable<Integer> {
    private static final String TAKES =
            "--set takes OUTPUT=WHERE, and WHERE is begin, end, SHARD/SEQUENCE such as 0/42, or " + PointInTime.TAKES;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Option(
            names = "--set",
            paramLabel = "OUTPUT=WHERE",
            description = "Where an output continues: begin, end, a time, or SHARD/SEQUENCE.")
    private @Nullable String set;

    @Option(names = "--forget", paramLabel = "OUTPUT", description = "Forget an output.")
    private @Nullable String forget;

    @Override
    public Integer call() throws IOException {
        Journal journal = openJournal();
        SinkPositions positions = new SinkPositions(journal);
        if (set != null) {
            set(positions, set);
        }
        if (forget != null && !positions.forget(forget)) {
            throw new IllegalArgumentException(noPositions(forget, positions.names()));
        }
        print(positions.all(), journal);
        return 0;
    }

    private static void set(SinkPositions positions, String text) throws IOException {
        int equals = text.indexOf('=');
        if (equals < 1) {
            throw new IllegalArgumentException(TAKES + ", not '" + text + "'");
        }
        String sink = text.substring(0, equals);
        if (!positions.names().contains(sink)) {
            throw new IllegalArgumentException(noPositions(sink, positions.names())
                    + ". An output that has not run yet begins where its setting 'from' says");
        }
        String where = text.substring(equals + 1);
        Instant time = PointInTime.parse(where);
        if (Position.isPosition(where)) {
            positions.set(sink, Position.parse(where));
        } else if (where.equals("begin") || where.equals("end")) {
            positions.set(sink, where.equals("begin") ? StartAt.BEGIN : StartAt.END);
        } else if (time != null) {
            positions.set(sink, StartAt.time(time));
        } else {
            throw new IllegalArgumentException(TAKES + ", not '" + text + "'" + ValueTypes.durationMeant(where));
        }
    }

    private static String noPositions(String sink, Set<String> names) {
        return "there are no positions of an output '" + sink + "'; "
                + (names.isEmpty() ? "nor of any other" : "there are those of " + String.join(", ", names));
    }

    private void print(Map<String, Positions> all, Journal journal) throws IOException {
        long[] ends = journal.endSequences();
        if (json) {
            System.out.println(Json.positions(all, ends));
            return;
        }
        if (all.isEmpty()) {
            System.err.println("millrace: there are no outputs yet");
        }
        all.forEach((name, positions) -> {
            for (int shard = 0; shard < ends.length; shard++) {
                long end = positions.upTo(shard, ends[shard]);
                System.out.printf(
                        Locale.ROOT,
                        "%s shard %d: next %d of %d, %s%n",
                        name,
                        shard,
                        positions.next(shard),
                        end,
                        positions.isFinished() ? "finished" : Math.max(0, end - positions.next(shard)) + " pending");
            }
            System.out.printf(
                    Locale.ROOT,
                    "%s: acknowledged %d, filtered %d, dead letters %d, missing in the journal %d%n",
                    name,
                    positions.counts().acked(),
                    positions.counts().filtered(),
                    positions.counts().deadLettered(),
                    positions.counts().missing());
        });
    }
}
