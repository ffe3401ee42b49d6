package io.millrace.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.bench.host.ChildProcess;
import io.millrace.bench.host.CpuShare;
import io.millrace.bench.host.Programs;
import io.millrace.bench.report.RunData;
import io.millrace.bench.report.RunFolder;
import io.millrace.bench.trial.TrialResult;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each suite, as a user runs it, but short: the results have no meaning. */
@Tag("calm")
@Tag("once")
@Tag("full")
class BenchIT {
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final Path JAR = Path.of("target", "benchmarks.jar");

    @TempDir
    private Path directory;

    private static List<String> bench(List<String> args) {
        List<String> command = new ArrayList<>(Programs.java());
        command.addAll(List.of(
                "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
                "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
                "-cp",
                JAR.toString(),
                "io.millrace.bench.BenchMain"));
        command.addAll(args);
        return command;
    }

    private RunData run(String... args) throws IOException, InterruptedException {
        Path out = directory.resolve("run-" + args[0]);
        List<String> all = new ArrayList<>(List.of(args));
        // Short trials have no meaning, and the host may be busy, so any rate is accepted.
        if (!all.contains("--tolerate")) {
            all.addAll(List.of("--tolerate", "100"));
        }
        all.addAll(List.of("--out", out.toString()));
        try (ChildProcess process = ChildProcess.start("millrace bench", bench(all))) {
            int code = process.awaitExit(LIMIT);
            assertThat(code).as("%s%n%s", process.err(), process.out()).isZero();
            assertThat(process.out()).isNotEmpty();
        }
        assertThat(out).isDirectoryContaining("glob:**/report.{md,html}").isDirectoryContaining("glob:**/results.csv");
        RunData data = RunFolder.read(out);
        assertThat(data.complete()).isTrue();
        return data;
    }

    private static void allReceived(RunData data, String subject) {
        assertThat(data.trials())
                .filteredOn(trial -> trial.subject().equals(subject))
                .allSatisfy(trial -> {
                    assertThat(trial.voidReason()).isNull();
                    assertThat(trial.received()).isEqualTo(trial.sent());
                    assertThat(trial.duplicated()).isZero();
                });
    }

    @Test
    void compareReceiversMeasuresEveryReceiverAndDrawsCharts() throws IOException, InterruptedException {
        // One of each kind; CI runs all of them.
        String receivers = "syslog-inline,netty-epoll,millrace-epoll,baseline-append,rsyslog";
        RunData data = run(
                "receiver-comparison", "--receivers", receivers, "--rates", "2000", "--seconds", "0.2", "--no-raise");
        assertThat(data.measured()).contains("syslog-inline", "netty-epoll", "millrace-epoll");
        data.measured().forEach(subject -> allReceived(data, subject));
        screenshot(directory.resolve("run-receiver-comparison"));
    }

    @Test
    void pipelineComparesWhatIsDeliveredWithWhatWasSent() throws IOException, InterruptedException {
        RunData data = run(
                "pipeline",
                "--receivers",
                "millrace-file,rsyslog",
                "--rates",
                "2000",
                "--seconds",
                "0.5",
                "--idle",
                "0.5");
        data.measured().forEach(subject -> allReceived(data, subject));
        assertThat(data.valid("delivered", "millrace-file"))
                .singleElement()
                .satisfies(end -> assertThat(end.received()).isPositive());
        assertThat(data.valid("idle", "millrace-file")).hasSize(1);
    }

    /** At a rate at which nobody loses anything, and with all loads of the suite. */
    @Test
    void peersCountsWhatEachCollectorStored() throws IOException, InterruptedException {
        RunData data =
                run("peers", "--receivers", "millrace-defaults,victorialogs", "--rates", "2000", "--seconds", "0.5");
        allStored(data);
        for (String part : List.of("rate", "sources", "burst", "gso")) {
            assertThat(data.valid(part, "millrace-defaults")).isNotEmpty().allSatisfy(trial -> {
                assertThat(trial.received()).as("%s", trial).isPositive();
                assertThat(trial.lostSilently()).as("%s", trial).isZero();
            });
        }
        for (String subject : data.measured()) {
            assertThat(data.valid("stall", subject)).hasSize(1);
            assertThat(data.valid("lone", subject)).hasSize(1);
        }
    }

    @Test
    void peersKnowsTheConfigurationsOfOthers() throws IOException, InterruptedException {
        String receivers = "millrace-defaults,rsyslog-defaults,rsyslog-stats,syslog-ng-defaults,syslog-ng";
        allStored(run("peers", "--receivers", receivers, "--rates", "2000", "--seconds", "0.5", "--only-rates"));
    }

    private static void allStored(RunData data) {
        assertThat(data.measured()).contains("millrace-defaults");
        for (String subject : data.measured()) {
            assertThat(data.valid("rate", subject, 125, 2_000)).singleElement().satisfies(trial -> {
                assertThat(trial.sent()).as("%s", trial).isEqualTo(1_000);
                assertThat(trial.received()).as("%s", trial).isEqualTo(1_000);
            });
        }
    }

    @Test
    void growthComparesTheFilesOfAllOutputs() throws IOException, InterruptedException {
        RunData data =
                run("growth", "--receivers", "millrace-file,millrace-8-outputs", "--rate", "5000", "--seconds", "0.5");
        data.measured().forEach(subject -> allReceived(data, subject));
        assertThat(data.valid("delivered", "millrace-8-outputs"))
                .singleElement()
                .satisfies(end -> assertThat(end.received()).isEqualTo(end.sent()));
    }

    @Test
    void streamsFindsEveryMessageInTheOutput() throws IOException, InterruptedException {
        RunData data = run("streams", "--seconds", "0.3");
        data.measured().forEach(subject -> allReceived(data, subject));
        assertThat(data.measured()).contains("millrace-tcp");
        assertThat(data.valid("octet counting, 1 connection", "millrace-tcp")).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "local",
                "accept",
                "connections",
                "drain --messages 20k --cases raw,redact-secrets,json-fields",
                "latency --seconds 1",
                "pages --seconds 1",
                "rank"
            })
    void commandWritesAReport(String command) throws IOException, InterruptedException {
        assertThat(report(command.split(" "))).contains("Environment").doesNotContain("NaN");
    }

    @Test
    void streamsOfTlsFindsEveryMessageInTheOutput() throws IOException, InterruptedException {
        Assumptions.assumeTrue(Programs.find("openssl").isPresent(), "openssl is not installed");
        RunData data = run("streams", "--tls", "--seconds", "0.3");
        data.measured().forEach(subject -> allReceived(data, subject));
        assertThat(data.measured()).contains("millrace-tls");
    }

    @Test
    void drainDeliversToKafka() throws Exception {
        try (KafkaBroker broker = KafkaBroker.start(directory.resolve("kafka"))) {
            broker.makeTopic("millrace-drain", 4);
            assertThat(report(
                            "drain",
                            "--messages",
                            "3001",
                            "--cases",
                            "kafka-json,where-field",
                            "--kafka",
                            broker.address()))
                    .contains("| kafka-json", " 3,001 |", "| where-field", " 1,501 |")
                    .doesNotContain("kafka-raw");
            assertThat(broker.endOffsets("millrace-drain")).isEqualTo(3_001);
        }
    }

    private String report(String... args) throws IOException, InterruptedException {
        Path out = directory.resolve("report");
        List<String> all = new ArrayList<>(List.of(args));
        all.addAll(List.of("--out", out.toString()));
        try (ChildProcess process = ChildProcess.start(args[0], bench(all))) {
            assertThat(process.awaitExit(LIMIT)).as("%s", process.err()).isZero();
        }
        return Files.readString(out.resolve("report.md"));
    }

    /** Charts have colours of their own; an empty page has none. */
    private void screenshot(Path run) throws IOException, InterruptedException {
        if (Programs.find("chromium").isEmpty()) {
            System.err.println("skipped: the page in a browser: chromium is not installed");
            return;
        }
        Path picture = directory.resolve("page.png");
        List<String> command = List.of(
                "chromium",
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--user-data-dir=" + directory.resolve("chromium"),
                "--window-size=1000,3000",
                "--screenshot=" + picture,
                run.resolve("report.html").toUri().toString());
        try (ChildProcess browser = ChildProcess.start("chromium", command)) {
            assertThat(browser.awaitExit(Duration.ofMinutes(1)))
                    .as("%s", browser.err())
                    .isZero();
        }
        BufferedImage image = ImageIO.read(picture.toFile());
        Set<Integer> colours = new TreeSet<>();
        for (int y = 0; y < image.getHeight(); y++) {
            for (int x = 0; x < image.getWidth(); x++) {
                colours.add(image.getRGB(x, y) & 0xffffff);
            }
        }
        assertThat(colours).contains(0x0072b2, 0xd55e00);
    }

    @Test
    void costMeasuresCpuTimePerDatagram() throws IOException, InterruptedException {
        RunData data = run("cost", "--receivers", "millrace-epoll,bio", "--rates", "20k", "--seconds", "1");
        assertThat(data.valid("cost"))
                .hasSize(2)
                .allSatisfy(trial -> assertThat(trial.nanosPerDatagram()).isPositive());
        String report = Files.readString(directory.resolve("run-cost/report.md"));
        assertThat(report)
                .contains("| millrace-epoll", "ns at 20k")
                .contains(
                        "millrace bench cost --receivers millrace-epoll,bio --rates 20k --seconds 1 --tolerate 100\n");
    }

    @Test
    void losslessSearchesForTheRate() throws IOException, InterruptedException {
        // SearchTest tests the search. The C baseline takes a fifth of the time: a receiver that only counts is not
        // warmed up.
        String receiver = Programs.baseline().isPresent() ? "baseline-discard" : "bio";
        List<String> args =
                new ArrayList<>(List.of("lossless", "--receivers", receiver, "--seconds", "0.2", "--tolerate", "20"));
        boolean share = canShare();
        args.addAll(share ? List.of("--share", "10", "--receive-buffer", "1m") : List.of());
        RunData data = run(args.toArray(String[]::new));
        assertThat(data.trials()).extracting(TrialResult::suite).contains("search");
        assertThat(data.settings()).containsEntry("share of a CPU of the receivers, %", share ? "10" : "all");
        if (share) {
            // From 300,000 msg/s on that is at most 333 ns per datagram. A short trial may fit into the buffer.
            assertThat(data.trials())
                    .filteredOn(trial -> trial.load().rate() >= 300_000)
                    .anyMatch(trial -> !trial.lossless());
        }
    }

    private static boolean canShare() {
        try (CpuShare share = CpuShare.of(CpuShare.MIN_PERCENT)) {
            return share != null;
        } catch (IOException e) {
            System.err.println("skipped: a search with a share of a CPU: " + e.getMessage());
            return false;
        }
    }

    @Test
    void millionReportsDatagramsPerSocket() throws IOException, InterruptedException {
        Assumptions.assumeTrue(Programs.baseline().isPresent(), "skipped: the C baseline is not built");
        RunData data = run(
                "million",
                "--receivers",
                "one-thread,four-sockets-two-flows,millrace-epoll-2",
                "--rate",
                "50k",
                "--seconds",
                "0.2");
        assertThat(data.valid("million"))
                .filteredOn(trial -> trial.subject().equals("four-sockets-two-flows"))
                .singleElement()
                .satisfies(trial -> assertThat(trial.detail().split(",")).hasSize(4));
    }

    @Test
    void comparesTwoRunsAndRejectsAUsedFolder() throws IOException, InterruptedException {
        var unused = run("cost", "--receivers", "bio", "--rates", "5k", "--seconds", "0.2");
        String run = directory.resolve("run-cost").toString();
        try (ChildProcess compare = ChildProcess.start("compare", bench(List.of("compare", run, run)))) {
            assertThat(compare.awaitExit(LIMIT)).isZero();
            assertThat(compare.out()).anySatisfy(line -> assertThat(line).contains("bio", "5,000/s"));
        }
        try (ChildProcess again = ChildProcess.start("again", bench(List.of("cost", "--out", run)))) {
            assertThat(again.awaitExit(LIMIT)).isEqualTo(2);
            assertThat(again.err()).anySatisfy(line -> assertThat(line).contains("already contains a run"));
        }
    }

    @Test
    void interruptedRunKeepsItsResults() throws IOException, InterruptedException {
        Path out = directory.resolve("run-interrupted");
        Path work = directory.resolve("work");
        List<String> args = List.of(
                "cost",
                "--receivers",
                "bio",
                "--rates",
                "5k",
                "--rounds",
                "100",
                "--tolerate",
                "100",
                "--work",
                work.toString(),
                "--out",
                out.toString());
        try (ChildProcess process = ChildProcess.start("millrace bench", bench(args))) {
            var unused = process.awaitErr(line -> line.startsWith("[2/"), LIMIT);
            int code = process.terminate(Duration.ofSeconds(20));
            assertThat(code).as("it said %s", process.err()).isEqualTo(143);
        }
        RunData data = RunFolder.read(out);
        assertThat(work).isEmptyDirectory();
        assertThat(data.complete()).isFalse();
        assertThat(data.trials()).hasSizeGreaterThanOrEqualTo(2);
    }

    @Test
    void unknownReceiverIsAnErrorWithTheValidNames() throws IOException, InterruptedException {
        try (ChildProcess process = ChildProcess.start("bench", bench(List.of("cost", "--receivers", "nosuch")))) {
            assertThat(process.awaitExit(LIMIT)).isEqualTo(2);
            assertThat(process.err()).anySatisfy(line -> assertThat(line).contains("nosuch", "millrace-epoll"));
        }
    }
}
