package io.millrace.app.command.journal;

import io.millrace.app.command.DataOption;
import io.millrace.app.control.Answer;
import io.millrace.app.control.ControlClient;
import io.millrace.app.report.Json;
import io.millrace.app.service.OutputChanges;
import io.millrace.internal.journal.DataDirectory;
import io.millrace.journal.Journal;
import io.millrace.sink.Positions;
import io.millrace.sink.SinkPositions;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace journal positions}: prints the positions of the outputs. */
@Command(
        name = "positions",
        description = {
            "Print the position of each output, or change it.",
            "If the service runs, the output ends and starts again at its new position.",
        },
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
        boolean running = DataDirectory.owner(data()) != null;
        if (set != null && running) {
            ask("set " + set.replace(' ', 'T'));
        } else if (set != null) {
            OutputChanges.Place place = OutputChanges.Place.parse(set, journal);
            positions.set(place.output(), place.next());
        }
        if (forget != null && running) {
            ask("forget " + forget);
        } else if (forget != null && !positions.forget(forget)) {
            throw new IllegalArgumentException(OutputChanges.noPositions(forget, positions.names()));
        }
        print(positions.all(), journal);
        return 0;
    }

    /** The running service changes its own positions. */
    private void ask(String change) throws IOException {
        Answer answer = ControlClient.change(data(), "positions " + change);
        String text = answer.text().strip();
        if (answer.code() == 2) {
            throw new IllegalArgumentException(text);
        } else if (answer.code() != 0) {
            throw new IOException(text);
        }
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
