package io.millrace.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The JMH jar lists its benchmarks and runs each of them, whatever their results. */
@Tag("calm")
@Tag("once")
@Tag("full")
class JmhIT {
    private static final Path JAR = Path.of("target/benchmarks.jar").toAbsolutePath();
    private static final long PATIENCE_S = 900;

    private static final List<String> BENCHMARKS = List.of(
            "ReceiveBenchmark.receive",
            "RingBenchmark.handoff",
            "AppendBenchmark.append",
            "SyncBenchmark.append",
            "RecordBenchmark.encode",
            "RecordBenchmark.decode",
            "ReadBenchmark.poll",
            "EditBenchmark.edit",
            "ParseBenchmark.parse",
            "ParseBenchmark.filter",
            "ParseBenchmark.json",
            "DatagramBenchmark.json");

    @TempDir
    private Path directory;

    @Test
    void listsTheBenchmarks() throws IOException, InterruptedException {
        assertThat(jmh("-l")).contains(BENCHMARKS);
    }

    @Test
    void runsEachBenchmark() throws IOException, InterruptedException {
        String output = jmh(
                "-wi 0 -i 1 -r 100ms -w 1ms -f 1 -foe true -jvmArgsPrepend -XX:TieredStopAtLevel=1 -p receiver=nio,millrace-nio"
                        + " -p rate=100000 -p datagrams=10000");
        assertThat(output).contains("Run complete").doesNotContain("<failure>", "ERROR", "WARNING");
        String table = output.substring(output.lastIndexOf("Benchmark  "));
        assertThat(table).contains(BENCHMARKS);
        assertThat(table).contains("ReceiveBenchmark.receive:lostPercent", "ReceiveBenchmark.receive:cpuNsPerDatagram");
    }

    private String jmh(String arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        if (Runtime.version().feature() >= 24) {
            // The forks get them from here.
            command.addAll(List.of("--sun-misc-unsafe-memory-access=allow", "--enable-native-access=ALL-UNNAMED"));
        }
        command.addAll(List.of("-Xmx512m", "-jar", JAR.toString()));
        command.addAll(List.of(arguments.split(" ", -1)));
        Path output = directory.resolve("output");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(PATIENCE_S, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        String text = Files.readString(output, StandardCharsets.UTF_8);
        assertThat(process.exitValue()).as(text).isZero();
        return text;
    }
}
