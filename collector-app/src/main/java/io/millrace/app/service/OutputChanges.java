package io.millrace.app.service;

import io.millrace.app.config.PointInTime;
import io.millrace.app.control.Answer;
import io.millrace.collector.Collector;
import io.millrace.journal.Journal;
import io.millrace.journal.Position;
import io.millrace.setting.SettingTypes;
import io.millrace.sink.SinkPositions;
import io.millrace.sink.StartAt;
import java.io.IOException;
import java.time.Instant;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes of an output's positions and dead letters, by the commands {@code journal positions} and {@code dead-letters}: in the
 * service if it runs, else in the command.
 */
public final class OutputChanges {
    private static final Logger LOG = LoggerFactory.getLogger(OutputChanges.class);
    private static final String TAKES =
            "--set accepts OUTPUT=WHERE, and WHERE is begin, end, SHARD/SEQUENCE such as 0/42, or " + PointInTime.TAKES;

    private final Collector collector;
    private final @Nullable Reload reload;

    /**
     * Creates the object.
     *
     * @param reload what knows the settings of the outputs; null if there are none
     */
    OutputChanges(Collector collector, @Nullable Reload reload) {
        this.collector = collector;
        this.reload = reload;
    }

    /** A place in the journal where an output continues, as {@code OUTPUT=WHERE}. */
    public static final class Place {
        private final String output;
        private final long[] next;

        private Place(String output, long[] next) {
            this.output = output;
            this.next = next;
        }

        public String output() {
            return output;
        }

        /** The sequence number of the next datagram, by shard. */
        public long[] next() {
            return next;
        }

        /**
         * Parses the text.
         *
         * @throws IllegalArgumentException if it is no such text, there is no such output, or no such place
         */
        public static Place parse(String text, Journal journal) throws IOException {
            int equals = text.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException(TAKES + ", not '" + text + "'");
            }
            String output = text.substring(0, equals);
            SinkPositions positions = new SinkPositions(journal);
            if (!positions.names().contains(output)) {
                throw new IllegalArgumentException(noPositions(output, positions.names())
                        + ". An output that has not run yet begins where its setting 'from' says");
            }
            return new Place(output, sequences(output, text.substring(equals + 1), positions, journal));
        }

        private static long[] sequences(String output, String where, SinkPositions positions, Journal journal)
                throws IOException {
            if (Position.isPosition(where)) {
                return positions.with(output, Position.parse(where));
            }
            if (where.equals("begin") || where.equals("end")) {
                return (where.equals("begin") ? StartAt.BEGIN : StartAt.END).sequences(journal);
            }
            Instant time = PointInTime.parse(where);
            if (time == null) {
                throw new IllegalArgumentException(TAKES + ", not '" + where + "'" + SettingTypes.durationMeant(where));
            }
            return StartAt.time(time).sequences(journal);
        }
    }

    /** What to say of an output that has no positions. */
    public static String noPositions(String output, Set<String> names) {
        return "there are no positions of an output '" + output + "'; "
                + (names.isEmpty() ? "nor of any other" : "there are those of " + String.join(", ", names));
    }

    /** Makes an output continue elsewhere, see {@link Place}. */
    Answer setPosition(String text) {
        try {
            Place place = Place.parse(text, collector.journal());
            if (reload == null || !reload.move(place.output(), place.next())) {
                new SinkPositions(collector.journal()).set(place.output(), place.next());
            }
            LOG.warn("A command has moved a position: {}", text);
            return new Answer(0, "");
        } catch (IllegalArgumentException e) {
            return new Answer(2, e.getMessage() + "\n");
        } catch (IOException e) {
            return new Answer(1, e.getMessage() + "\n");
        }
    }

    /** Forgets an output that there is no more. */
    Answer forget(String output) {
        SinkPositions positions = new SinkPositions(collector.journal());
        try {
            if (collector.outputs().stream().anyMatch(status -> status.name().equals(output))) {
                return new Answer(
                        2,
                        "output " + output
                                + " runs: remove it from the configuration and reload that before, or use --set "
                                + output + "=begin\n");
            }
            return positions.forget(output)
                    ? new Answer(0, "")
                    : new Answer(2, noPositions(output, positions.names()) + "\n");
        } catch (IOException e) {
            return new Answer(1, e.getMessage() + "\n");
        }
    }

    /** Deletes the dead letters of an output. */
    Answer dropDeadLetters(String output) {
        try {
            long dropped = collector.dropDeadLetters(output);
            LOG.warn("Output {}: a command has deleted its {} dead letters", output, dropped);
            return new Answer(0, String.format(Locale.ROOT, "%s: %,d dead letters deleted%n", output, dropped));
        } catch (IOException e) {
            return new Answer(1, output + ": " + e.getMessage() + "\n");
        }
    }
}
