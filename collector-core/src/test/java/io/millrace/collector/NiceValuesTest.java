package io.millrace.collector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.message.LineBuffer;
import io.millrace.message.LogRecord;
import io.millrace.sink.Sink;
import io.millrace.sink.SinkBatch;
import io.millrace.sink.SinkSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which threads give way to receivers on a busy CPU. */
class NiceValuesTest {
    private static final Sink NOWHERE = new Sink() {
        @Override
        public @Nullable Object encode(LogRecord record, LineBuffer out) {
            return null;
        }

        @Override
        public void send(SinkBatch batch) {
            batch.done();
        }

        @Override
        public void close() {}
    };

    @TempDir
    Path root;

    @Test
    void receiversComeBeforeOutputsAndOutputsBeforeSourceTracking() throws IOException {
        try (Collector collector = Collector.builder()
                .listen("in", new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .journal(root.resolve("data"))
                .transport("nio")
                .receivers(1)
                .sources(true)
                .deliver(SinkSettings.of("nowhere"), NOWHERE)
                .build()
                .start()) {
            assertThat(collector.outputs()).hasSize(1);
            await().until(() -> !niceValues("millrace-receiv").isEmpty());
            int receivers = niceValues("millrace-receiv").get(0);
            awaitNice("millrace-output", receivers + 5);
            awaitNice("millrace-source", receivers + 10);
        }
    }

    private static void awaitNice(String thread, int nice) {
        await().untilAsserted(() -> assertThat(niceValues(thread)).isNotEmpty().containsOnly(Math.min(19, nice)));
    }

    /** The nice values of the threads whose names begin so: the 19th field of {@code proc_pid_stat(5)}. */
    private static List<Integer> niceValues(String name) throws IOException {
        List<Integer> values = new ArrayList<>();
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (Path task : tasks) {
                String stat = stat(task);
                if (stat.contains("(" + name)) {
                    values.add(Integer.parseInt(
                            stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[16]));
                }
            }
        }
        return values;
    }

    private static String stat(Path task) {
        try {
            return Files.readString(task.resolve("stat"));
        } catch (IOException e) {
            // The thread has just ended.
            return "";
        }
    }
}
