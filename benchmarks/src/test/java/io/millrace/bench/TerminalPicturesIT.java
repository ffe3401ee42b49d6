package io.millrace.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.bench.host.ChildProcess;
import io.millrace.collector.Counter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a service prints that loses datagrams: {@code docs/pictures} shows it, with the data in {@code /var/lib/millrace}. */
@Tag("calm")
@Tag("once")
@Timeout(120)
@Tag("full")
class TerminalPicturesIT {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final Pattern TEXT = Pattern.compile("<text [^>]*>([^<]*)</text>");

    @TempDir
    private Path directory;

    @Test
    void runLedgerAndDoctorAreShownAsTheyAre() throws Exception {
        Path data = directory.resolve("millrace");
        Path config = Files.writeString(
                directory.resolve("millrace.yaml"), """
                data: %s
                inputs: {syslog: {listen: "[::]:5514"}}
                outputs: {archive: {type: file, path: %s}}
                receive: {receiveBuffer: 1m}
                """.formatted(data, directory.resolve("archive.log")));
        try (NetworkNamespace namespace = NetworkNamespace.create()) {
            Needs.that(!namespace.prefix().isEmpty(), "a network in which the ports of the documentation are free");
            List<String> run = millrace(namespace.prefix(), "run", "--config", config.toString());
            // As the launcher says it: a line every ten seconds is only for a terminal.
            run.add(run.indexOf("-jar"), "-Dmillrace.stderr.tty=true");
            try (Forked service = Forked.start(run)) {
                service.awaitErr("ready:", SOON);
                try (Forked sender = Forked.send(
                        namespace.prefix(), "--to", "127.0.0.1:5514", "--rate", "20k", "--duration", "1m")) {
                    await().atMost(SOON).until(() -> Service.counter(data, Counter.RECEIVED_DATAGRAMS) > 50_000);
                    // Longer than the receive buffer lasts.
                    service.signal("STOP");
                    TimeUnit.MILLISECONDS.sleep(500);
                    service.signal("CONT");
                    String rates = service.awaitErr("datagrams/s", SOON);
                    List<String> ledger = output(namespace.prefix(), "ledger", "--data", data.toString());
                    List<String> doctor = output(namespace.prefix(), "doctor", "--config", config.toString());
                    assertThat(sender.isAlive()).isTrue();
                    service.signal("INT");
                    service.awaitExit(SOON);
                    show("run", "millrace run --config millrace.yaml", service.err(), List.of(rates));
                    show("ledger", "millrace ledger --data /var/lib/millrace", ledger, ledger);
                    // What could not be read depends on the host.
                    int end = doctor.indexOf("UNAVAILABLE: could not be read");
                    List<String> begin = new ArrayList<>(doctor.subList(0, end < 0 ? doctor.size() : end));
                    begin.add("…");
                    show("doctor", "millrace doctor --config millrace.yaml", begin, doctor.subList(0, 1));
                }
            }
        }
    }

    private static List<String> millrace(List<String> prefix, String... arguments) {
        return Forked.command(prefix, "collector-app/target/millrace.jar", arguments);
    }

    private static List<String> output(List<String> prefix, String... arguments) throws Exception {
        try (ChildProcess process = ChildProcess.start("millrace", millrace(prefix, arguments))) {
            process.awaitExit(SOON);
            return process.out();
        }
    }

    /** Draws what a command printed, and looks for some of its lines in the picture of the documentation. */
    private void show(String name, String command, List<String> printed, List<String> checked) throws Exception {
        String file = "pictures/" + name + ".svg";
        if (DocsPicture.isWritten()) {
            List<String> lines = printed.stream()
                    .map(line -> line.replace(directory.toString(), "/var/lib"))
                    .toList();
            DocsPicture.write(file, TerminalPicture.of(command, lines));
        }
        String picture = TEXT.matcher(DocsPicture.read(file))
                .results()
                .map(text -> text.group(1))
                .collect(Collectors.joining(" "));
        assertThat(words(picture))
                .as("docs/%s: run with -Dmillrace.docs.write=true to write it again", file)
                .contains(checked.stream().map(TerminalPicturesIT::words).toList());
    }

    /** The text without its numbers and the width of its columns, which differ from run to run. */
    private static String words(String text) {
        return text.replaceAll("[0-9][0-9.,:TZ-]*", "0")
                .replace("up to 0", "0")
                .replaceAll("\\s+", " ")
                .strip();
    }
}
