package io.millrace.app.command;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TestSeed;
import io.millrace.internal.journal.TestJournal;
import io.millrace.internal.record.TestDatagram;
import io.millrace.journal.Journal;
import io.millrace.journal.JournalCursor;
import io.millrace.message.InputRules;
import io.millrace.message.LogRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LastMessagesTest {
    @TempDir
    private Path root;

    private static LogRecord record() {
        return LogRecord.of(new InputRules(ZoneOffset.UTC, false), Map.of(), false);
    }

    /** Shard and sequence of what is found. */
    private List<String> last(int count, Predicate<LogRecord> wanted) throws IOException {
        Journal journal = Journal.open(root);
        LastMessages.Found found = new LastMessages(journal, count, record(), wanted).find();
        List<String> keys = new ArrayList<>();
        LogRecord record = record();
        try (JournalCursor cursor = found.cursor(journal)) {
            while (cursor.poll((datagram, position) -> {
                        record.wrap(datagram, "in", position.shard(), position.sequence());
                        if (wanted.test(record) && found.includes(record)) {
                            keys.add(position.shard() + "/" + position.sequence());
                        }
                    })
                    > 0) {
                // Reads all of it.
            }
        }
        return keys;
    }

    private static boolean isOdd(LogRecord record) {
        return new String(record.bytes(), record.begin(), record.end() - record.begin(), US_ASCII).equals("odd");
    }

    /** A busy shard and a quiet one: the newest messages of both, wherever they are. */
    @Test
    void findsTheNewestOfAllShards() throws IOException {
        Random random = TestSeed.random(LastMessagesTest.class);
        List<String> all = new ArrayList<>();
        List<String> odd = new ArrayList<>();
        try (TestJournal journal = TestJournal.open(root, 2)) {
            long now = TestDatagram.TIME_NS;
            for (int batch = 0; batch < 300; batch++) {
                int shard = random.nextInt(20) == 0 ? 1 : 0;
                TestDatagram[] datagrams = new TestDatagram[1 + random.nextInt(100)];
                for (int i = 0; i < datagrams.length; i++) {
                    // Many of a shard have the same time; those of another are later or earlier.
                    now += i == 0 ? 1 : random.nextInt(100) / 90;
                    boolean isOdd = random.nextInt(500) == 0;
                    datagrams[i] = TestDatagram.of(isOdd ? "odd" : "even").at(now);
                    String key = shard + "/" + (journal.nextSequence(shard) + i);
                    all.add(key);
                    if (isOdd) {
                        odd.add(key);
                    }
                }
                journal.append(shard, datagrams);
            }
        }
        for (int count : new int[] {1, 10, 2_000}) {
            assertThat(last(count, message -> true))
                    .containsExactlyInAnyOrderElementsOf(all.subList(all.size() - count, all.size()));
        }
        assertThat(last(all.size() + 5, message -> true)).hasSameSizeAs(all);
        int some = Math.min(5, odd.size());
        assertThat(last(some, LastMessagesTest::isOdd))
                .containsExactlyInAnyOrderElementsOf(odd.subList(odd.size() - some, odd.size()));
        assertThat(last(3, message -> false)).isEmpty();
    }
}
