package io.millrace.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.app.Main;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Configurations as people get them wrong, and the commands on the way: what is said, where, and the exit code. */
class ConfigCommandTest {
    @TempDir
    private Path directory;

    /** What a command did. */
    private record Result(int exitCode, List<String> out, List<String> err) {}

    private static Result millrace(String... args) {
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream outBytes = new ByteArrayOutputStream();
        ByteArrayOutputStream errBytes = new ByteArrayOutputStream();
        System.setOut(new PrintStream(outBytes, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(errBytes, true, StandardCharsets.UTF_8));
        try {
            int exitCode = Main.execute(args);
            return new Result(exitCode, lines(outBytes), lines(errBytes));
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
    }

    private static List<String> lines(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private String file(String text) throws IOException {
        return Files.writeString(directory.resolve("m.yaml"), text).toString();
    }

    @Test
    void initWritesAFileThatIsRight() throws IOException {
        Path file = directory.resolve("new.yaml");
        Result result = millrace("config", "init", file.toString());
        assertThat(result.exitCode()).isZero();
        assertThat(millrace("config", "check", file.toString()).out())
                .containsExactly(file + ": right: 2 inputs, 1 output");
        // The examples in comments are right too.
        Path all = Files.writeString(
                directory.resolve("all.yaml"), Files.readString(file).replaceAll("(?m)^#(?=(  |    )?\\S)", ""));
        assertThat(millrace("config", "check", "--no-files", all.toString()).out())
                .singleElement()
                .asString()
                .contains("3 outputs");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            2h                   | 2026-01-01T00:00:00Z | with 'to', it accepts begin or a time with its date, such as 2026-11-21T08:30:00Z, not '2h'
            08:30                | 2026-01-01T00:00:00Z | not '08:30'
            now                  | 2026-01-01T00:00:00Z | not 'now'
            end                  | 2026-01-01T00:00:00Z | not 'end'
            2026-01-02T00:00:00Z | 2026-01-01T00:00:00Z | to accepts a time after from
            begin                | 2999-01-01T00:00:00Z | accepts a time that has passed, not 2999-01-01T00:00:00Z
            """)
    void rangeThatMeansAnotherOneLaterIsAnError(String from, String to, String says) throws IOException {
        String text = "outputs:\n  replay: {type: stdout, from: '%s', to: '%s'}\n";
        Result result = millrace("config", "check", file(text.formatted(from, to)));
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).singleElement().asString().contains("outputs.replay", says);
        assertThat(millrace("config", "check", file(text.formatted("begin", "2026-01-01")))
                        .exitCode())
                .isZero();
    }

    /** The clock may be behind at the boot. */
    @Test
    void endInTheFutureDoesNotStopAStart() throws IOException {
        String file = file("outputs: {replay: {type: stdout, to: 2999-01-01T00:00:00Z}}");
        // It loads the configuration as 'run' does.
        assertThat(millrace("config", "show", file).exitCode()).isZero();
    }

    @Test
    void initOverwritesNothing() throws IOException {
        Path file = Files.writeString(directory.resolve("mine.yaml"), "data: mine");
        Result result = millrace("config", "init", file.toString());
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err())
                .containsExactly("millrace: " + file + " exists already: name another file, or remove it");
        assertThat(file).hasContent("data: mine");
    }

    @Test
    void packagedConfigurationIsValid() {
        Result result = millrace("config", "check", "--config", "src/main/dist/conf/millrace.yaml");
        assertThat(result.err()).isEmpty();
        assertThat(result.exitCode()).isZero();
    }

    /** What stands there as a comment is right too. */
    @Test
    void packagedExamplesAreValid() throws IOException {
        String text = Files.readString(Path.of("src", "main", "dist", "conf", "millrace.yaml"));
        Result result = millrace("config", "check", "--config", file(text.replaceAll("(?m)^#(?! )|^#(?=  )", "")));
        assertThat(result.err()).isEmpty();
        assertThat(result.exitCode()).isZero();
    }

    /** A slash is a new line in these files. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "inputs:/  a:/    listen: [::]:5514 | 3:14 | a value that begins with [ goes in quotes as a whole",
                "receive:/  recieveBuffer: 64M | 2:3 | unknown setting 'recieveBuffer' in receive; did you mean receiveBuffer?",
                "receive:/  receive-buffer: 64M | 2:3 | did you mean receiveBuffer?",
                "receiveBuffer: 64M | 1:1 | unknown setting 'receiveBuffer'; did you mean receive.receiveBuffer?",
                "colour: red | 1:1 | unknown setting 'colour'; there are data, inputs, receive, policy, journal, outputs, filters, sources, alerts, admin, timeZone",
                "receive:/  receiveBuffer: 64X | 2:18 | receive.receiveBuffer accepts a size such as 64M, from 4 KiB to 1 GiB, not '64X'",
                "receive:/  receiveBuffer: 2G | 2:18 | receive.receiveBuffer accepts a size such as 64M, from 4 KiB to 1 GiB, not '2G'",
                "receive:/  receivers: 0 | 2:14 | receive.receivers accepts auto or a number from 1 to 256, not '0'",
                "receive:/  transport: tcp | 2:14 | receive.transport accepts auto, native, epoll or nio, not 'tcp'",
                "receive:/  gro: maybe | 2:8 | receive.gro accepts on or off, not 'maybe'",
                "receive:/  gro: | 2:7 | receive.gro accepts on or off, and has no value",
                "receive:/  stopLinger: 5 | 2:15 | receive.stopLinger accepts a time such as 500ms, 10s, 2m, 1h or 7d, not '5'",
                "receive:/  transport:/    name: nio | 3:5 | receive.transport accepts auto, native, epoll or nio, not a mapping",
                "receive: fast | 1:10 | receive accepts a mapping of settings such as transport, not 'fast'",
                "receive:/  transport: nio/  transport: epoll | 3:3 | receive: 'transport' is there twice, first in line 2",
                "receive:/\tgro: on | 2:1 | a tab in the indentation; YAML accepts spaces",
                "outputs:/  a: {type: stdout, where: \"message matches \\d\"} | 2:46 | a backslash in double quotes begins an escape",
                "receive:/  gro: on/ receivers: 1 | 3:2 | the indentation of this line fits none of the lines above it",
                "receive:/  transport: nio/  gro: on | 3:8 | receive.gro requires the transport native, and this is nio",
                "receive:/  receiverCpus: 4000 | 2:17 | receive.receiverCpus: CPUs [4000], but this process may only run on",
                "inputs:/  - listen: '127.0.0.1:5514' | 2:3 | inputs accepts a mapping of names to settings, not a list",
                "inputs:/  a: {listen: '127.0.0.1:9', splitLines: on, minimumSeverity: info} | 2:63 | inputs.a.minimumSeverity: cannot be combined with splitLines",
                "inputs:/  a: {} | 2:3 | inputs.a.listen is missing; accepts HOST:PORT",
                "inputs:/  a:/    listen: 5514 | 3:13 | inputs.a.listen accepts HOST:PORT (UDP), udp://HOST:PORT, tcp://HOST:PORT, tls://HOST:PORT, relp://HOST:PORT, unix:///PATH or unixgram:///PATH, for example 0.0.0.0:5514, tcp://[::]:5514 or unixgram:///run/millrace/log, not '5514'",
                "inputs:/  a: {listen: '127.0.0.1:9'}/  b: {listen: '127.0.0.1:9'} | 3:15 | inputs.b.listen requires an address of its own, and input 'a' in line 2 listens there too",
                "sources: {silentAfter: 5s} | 1:24 | sources.silentAfter accepts a whole number from 1 to 1000 (times the longest silence so far), or a time such as 10m, from 10s to 6d, not '5s'",
                "outputs:/  a: {type: syslog, host: h, tls: on} | 2:30 | unknown setting 'tls' in outputs.a; did you mean transport: tls?",
                "outputs:/  a: {format: json} | 2:3 | outputs.a.type is missing; accepts ",
                "outputs:/  a: {type: carrier} | 2:13 | outputs.a.type accepts ",
                "outputs:/  a: {type: kafka} | 2:3 | outputs.a.brokers is missing; accepts a list of HOST:PORT such as kafka1:9092",
                "outputs:/  a: {type: kafka, brokers: [k1], topic: t} | 2:30 | outputs.a.brokers accepts a list of HOST:PORT such as kafka1:9092, not 'k1': it has no port",
                "outputs:/  a: {type: kafka, brokers: [k:9], topic: t, properties: {acks: 1}} | 2:3 | outputs.a: properties: acks is always all, not 1, so that no acknowledged message is lost and their order stays",
                "outputs:/  a: {type: kafka, brokers: [k:9], topic: t, properties: {batch.sise: 1}} | 2:3 | outputs.a: properties: Kafka has no property batch.sise; did you mean batch.size?",
                "outputs:/  a: {type: file, path: 'x/{hots}'} | 2:25 | outputs.a.path: column 3: there is no field hots",
                "outputs:/  a: {type: kafka, brokers: [k:9], topic: t, properties: {batch.size: x}} | 2:3 | outputs.a: properties: Invalid value x for configuration batch.size",
                "outputs:/  a: {type: file, path: x.log}/  b: {type: file, path: y.log}/  c: {type: file, path: x.log} | 4:3 | outputs.c requires a file of its own, and output 'a' writes to",
                "outputs:/  a b: {type: stdout} | 2:3 | outputs: a name has up to 64 letters, digits, '.', '_' and '-', not 'a b'",
                "outputs:/  a: {type: stdout, path: x} | 2:21 | unknown setting 'path' in outputs.a; there are type, format, fields, where, otherwise, sample, repeat, edit, from",
                "outputs:/  a: {type: stdout, format: xml} | 2:29 | outputs.a.format accepts raw (the bytes as they came), json,",
                "outputs:/  a: {type: stdout, sample: 1%} | 2:29 | outputs.a.sample accepts 1/N such as 1/100, up to 1/1000000000, not '1%'",
                "outputs:/  a: {type: stdout, sample: 1/0} | 2:29 | outputs.a.sample accepts 1/N such as 1/100",
                "outputs:/  a: {type: stdout, where: severity = high} | 2:28 | outputs.a.where: column 10:",
                "outputs:/  a: {type: stdout, edit: yes} | 2:27 | outputs.a.edit accepts a list of edits such as - redact: {pattern: 'password=\\S+', with: 'password=***'}, not 'yes'",
                "outputs:/  a: {type: stdout, edit: [redact]} | 2:28 | outputs.a.edit accepts a list of edits such as",
                "outputs:/  a: {type: stdout, edit: [{mask: {pattern: x}}]} | 2:29 | outputs.a.edit accepts the edit redact, set, rename, remove or truncate, not 'mask'",
                "outputs:/  a: {type: stdout, edit: [{redact: {patern: x}}]} | 2:38 | outputs.a.edit: redact accepts pattern, preset, with, key or field, not 'patern'; did you mean pattern?",
                "outputs:/  a: {type: stdout, edit: [{renam: {field: x}}]} | 2:29 | outputs.a.edit accepts the edit redact, set, rename, remove or truncate, not 'renam'; did you mean rename?",
                "outputs:/  a: {type: stdout, edit: [{set: {field: hostname}}]} | 2:29 | outputs.a.edit: set: has no 'to'",
                "outputs:/  a: {type: stdout, edit: [{set: {field: severity, to: high}}]} | 2:29 | outputs.a.edit: set: to: severity accepts emerg,",
                "outputs:/  a: {type: stdout, edit: [{set: {field: hostnam, to: x}}]} | 2:29 | outputs.a.edit: set: there is no field hostnam; did you mean hostname?",
                "outputs:/  a: {type: stdout, edit: [{truncate: {bytes: much}}]} | 2:29 | outputs.a.edit: truncate: bytes accepts a size such as 8K, from 1 byte to 1 MiB, not 'much'",
                "outputs:/  a: {type: stdout, format: raw, edit: [{remove: {field: msgid}}]} | 2:3 | outputs.a: edit: set, rename and remove change fields, and this format writes the bytes of the message: use another one than raw and templates with {raw}, or only the edits redact and truncate",
                "outputs:/  a: {type: stdout, format: 'x {raw}', edit: [{remove: {field: msgid}}]} | 2:3 | outputs.a: edit: set, rename and remove change fields",
                "outputs:/  a: {type: relp, host: h, format: raw, edit: [{set: {field: msgid, to: x}}]} | 2:3 | outputs.a: edit: set, rename and remove change fields",
                "outputs:/  a: {type: syslog, host: h, format: raw, edit: [{rename: {field: fields.a, to: fields.b}}]} | 2:3 | outputs.a: edit: set, rename and remove change fields",
                "outputs:/  a: {type: stdout, edit: [{redact: {with: x}}]} | 2:29 | outputs.a.edit: redact: accepts either a pattern or a preset",
                "outputs:/  a: {type: stdout, edit: [{redact: {pattern: '('}}]} | 2:29 | outputs.a.edit: redact: a regular expression in RE2 syntax belongs here",
                "outputs:/  a: {type: stdout, edit: [{redact: {preset: cards}}]} | 2:29 | outputs.a.edit: redact: preset accepts card-numbers, email-addresses, secrets or ip-addresses, not 'cards'",
                "outputs:/  a: {type: stdout, edit: [{redact: {preset: secret}}]} | 2:29 | outputs.a.edit: redact: preset accepts card-numbers, email-addresses, secrets or ip-addresses, not 'secret'; did you mean secrets?",
                "outputs:/  a: {type: stdout, edit: [{redact: {preset: ip-addresses}}]} | 2:29 | outputs.a.edit: redact: preset ip-addresses has no 'key': a secret, such as ${file:/etc/millrace/pseudonyms.key}",
                "outputs:/  a: {type: stdout, edit: [{redact: {preset: ip-addresses, key: shortkey}}]} | 2:29 | outputs.a.edit: redact: key accepts a secret text of 16 characters or more",
                "outputs:/  a: {type: stdout, edit: [{redact: {preset: ip-addresses, key: 0123456789abcdef, with: x}}]} | 2:29 | outputs.a.edit: redact: preset ip-addresses accepts no 'with': it makes a pseudonym of each address",
                "outputs:/  a: {type: stdout, edit: [{redact: {preset: secrets, key: 0123456789abcdef}}]} | 2:29 | outputs.a.edit: redact: accepts key only with preset ip-addresses",
                "outputs:/  a: {type: stdout, edit: [{redact: {preset: secrets, field: host}}]} | 2:29 | outputs.a.edit: redact: there is no field host; did you mean hostname?",
                "outputs:/  a: {type: stdout, from: noon} | 2:27 | outputs.a.from accepts begin, end, or a time such as 2026-11-21T08:30:00Z, not 'noon'",
                "outputs:/  a: {type: stdout, format: raw, fields: on} | 2:3 | outputs.a: fields accepts on only with format json",
                "outputs:/  a: {type: stdout, extensions: on} | 2:21 | unknown setting 'extensions' in outputs.a; ",
                "outputs:/  a: {type: syslog, host: h, fields: on} | 2:30 | unknown setting 'fields' in outputs.a",
                "inputs:/  a: {listen: '127.0.0.1:9', splitLines: crlf} | 2:42 | inputs.a.splitLines accepts on or off, not 'crlf'",
                "journal:/  retention: {age: 10ms} | 2:20 | journal.retention.age accepts a time such as 500ms, 10s, 2m, 1h or 7d, at least 1s, not '10ms'",
                "journal:/  retention: {size: 64M}/receive: {receivers: 8} | 2:21 | journal.retention.size accepts at least 512 MiB, for files of 8 receivers, not 64 MiB",
                "journal: {whenFull: panic} | 1:21 | journal.whenFull accepts block or drop-oldest, not 'panic'",
                "timeZone: Mars | 1:11 | timeZone accepts a time zone such as UTC, Europe/Berlin or +02:00, not 'Mars'",
                "admin: {listen: 9514} | 1:17 | admin.listen accepts HOST:PORT, for example 127.0.0.1:9514, or off, not '9514'",
                "admin: {listen: '0.0.0.0:9514'} | 1:17 | admin.listen: can be reached from other hosts, and logs are confidential: it needs admin.token, or admin.certificateFile and admin.keyFile, or an address such as 127.0.0.1:9514",
                "admin: {token: t, certificateFile: c.pem} | 1:36 | admin.certificateFile requires keyFile beside it",
                "data: ${MILLRACE_NOT_SET} | 1:7 | the environment variable MILLRACE_NOT_SET is not set",
                "data: &a x/timeZone: *a | 1:7 | anchors are not taken",
                "data: !!binary eA== | 1:7 | tags are not taken",
                "? [a]/: b | 1:3 | a key is a name, not a list or a mapping",
                "data: x/---/data: y | 2:1 | a second document begins here; a file is one document",
                "- data | 1:1 | the file accepts a mapping of settings such as data, not a list",
            })
    void problemIsReportedWithItsPlace(String text, String place, String message) throws IOException {
        String file = file(text.replace('/', '\n').replace("\\t", "\t"));
        Result result = millrace("config", "check", "--config", file);
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.out()).isEmpty();
        assertThat(result.err().get(0)).startsWith(file + ":" + place + ": ").contains(message);
        assertThat(millrace("run", "--config", file)).isEqualTo(new Result(2, List.of(), result.err()));
    }

    @Test
    void allProblemsAreReportedInFileOrder() throws IOException {
        String file = file("outputs: {a: {}}\nreceive: {gro: x, size: 1}\ntimeZone: Mars\n");
        Result result = millrace("config", "check", "--config", file);
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).hasSize(5).last().isEqualTo("millrace: 4 problems in the configuration");
        assertThat(result.err().subList(0, 4)).isSorted().allMatch(it -> it.startsWith(file + ":"));
    }

    @Test
    void missingFileIsAnInvalidConfiguration() {
        String file = directory.resolve("none.yaml").toString();
        assertThat(millrace("config", "check", "--config", file))
                .isEqualTo(new Result(2, List.of(), List.of(file + ": the file is not there")));
        assertThat(millrace("run", "--config", directory.toString()).err())
                .containsExactly(directory + ": this is a directory; the configuration accepts a regular file");
    }

    /** Whoever opens a named pipe waits for its writer. */
    @Test
    @Timeout(60)
    void rejectsPipesAndDevices() throws IOException, InterruptedException {
        Path pipe = directory.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        for (String special : List.of(pipe.toString(), "/dev/zero")) {
            assertThat(millrace("config", "check", "--config", special))
                    .isEqualTo(
                            new Result(
                                    2,
                                    List.of(),
                                    List.of(
                                            special
                                                    + ": this is a pipe, a socket or a device; the configuration accepts a regular file")));
            String file = file("admin: {token: '${file:" + special + "}'}\n");
            assertThat(millrace("config", "check", "--config", file).err())
                    .containsExactly(file + ":1:16: ${file:" + special
                            + "} accepts a regular file, and this is a pipe, a socket or a device");
        }
        Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of(file("data: x\n")));
        assertThat(millrace("config", "check", "--config", link.toString()).exitCode())
                .isZero();
    }

    @Test
    void outputMayWriteToASubdirectoryOfTheDataDirectory() throws IOException {
        Path data = Files.createDirectory(directory.resolve("data"));
        for (String path : List.of(data + "/archive/all.log", data + "/archive/{hostname}.log")) {
            String file = file("data: " + data + "\noutputs: {a: {type: file, path: '" + path + "'}}\n");
            assertThat(millrace("config", "check", "--config", file).exitCode())
                    .as(path)
                    .isZero();
        }
    }

    @Test
    void outputMustNotWriteToTheCollectorsFiles() throws IOException {
        Path data = Files.createDirectory(directory.resolve("data"));
        Path link = Files.createSymbolicLink(directory.resolve("link"), data);
        for (String path : List.of(
                data + "/out.log",
                data + "/dead-letters/{hostname}.log",
                data + "/{hostname}.log",
                data + "/out-{date}",
                directory + "/x/../data/journal/shard-0/20261124.cq4",
                link + "/positions/x",
                link + "/{date}/x")) {
            String file = file("data: " + data + "\noutputs: {a: {type: file, path: '" + path + "'}}\n");
            Result result = millrace("config", "check", "--config", file);
            assertThat(result.exitCode()).as(path).isEqualTo(2);
            assertThat(result.err())
                    .singleElement()
                    .asString()
                    .startsWith(file + ":2:11: outputs.a accepts a path outside of the data directory " + data + ", ")
                    .contains(" and not " + directory);
        }
        for (String path : List.of(data + "-x/out.log", data + "-{hostname}/out.log", directory + "/{hostname}/x")) {
            String file = file("data: " + data + "\noutputs: {a: {type: file, path: '" + path + "'}}\n");
            assertThat(millrace("config", "check", "--config", file).err())
                    .as(path)
                    .isEmpty();
        }
    }

    /**
     * Checks a file with an output for each path, named from {@code a} on; {@code DIR} is the directory of the test.
     */
    private Result checkPaths(String... paths) throws IOException {
        StringBuilder text = new StringBuilder("outputs:\n");
        for (int i = 0; i < paths.length; i++) {
            text.append("  ").append((char) ('a' + i)).append(": {type: file, path: '");
            text.append(paths[i].replace("DIR", directory.toString())).append("'}\n");
        }
        return millrace("config", "check", "--config", file(text.toString()));
    }

    @ParameterizedTest
    @CsvSource({
        "DIR/all.log, DIR/{hostname}.log",
        "DIR/{date}/{hostname}.log, DIR/{date}/x.log",
        "DIR/{hostname}.log, DIR/{appname}.log",
        "DIR/{hostname}.log, DIR/{hostname}.log",
        "DIR/{date}.log, DIR/{year}-{month}-{day}.log",
        "DIR/{hostname}/x.log, DIR/web/{appname}.log",
        "DIR/{hostname}.log, DIR/@other.log",
        "DIR//x/../{hostname}.log, DIR/./all.log",
        "DIR/{hostname}/../all.log, DIR/{appname}.log",
        "DIR/real/all.log, DIR/link/{hostname}.log",
        "DIR/real/all.log, DIR/link/all.log",
        "DIR/link/all.log, DIR/{hostname}/all.log",
        "DIR/real/{hostname}.log, DIR/linked.log",
    })
    void warnsOfOutputsThatMayShareAFile(String one, String other) throws IOException {
        Path real = Files.createDirectory(directory.resolve("real"));
        Files.createSymbolicLink(directory.resolve("link"), real);
        Files.createSymbolicLink(directory.resolve("linked.log"), Files.createFile(real.resolve("target.log")));
        for (List<String> paths : List.of(List.of(one, other), List.of(other, one))) {
            Result result = checkPaths(paths.get(0), paths.get(1));
            String file = directory.resolve("m.yaml").toString();
            String message = "warning: " + file + ":3:3: outputs.b: path '" + paths.get(1)
                    + "' can name the same file as output 'a' (path '" + paths.get(0)
                    + "'); a file belongs to one output, so give each a directory of its own";
            assertThat(result)
                    .isEqualTo(new Result(
                            0,
                            List.of(file + ": right: 1 input, 2 outputs"),
                            List.of(message.replace("DIR", directory.toString()))));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "{date}/{hostname}.log, 10, true",
        "{year}/{month}/all.log, 10, true",
        "{date}/{hostname}.log, 10d, false",
        "{hostname}-{hour}.log, 10, false",
        "{hostname}.log, 10, false"
    })
    void warnsOfKeepWhereItDeletesNothing(String path, String keep, boolean warns) throws IOException {
        Path file = Files.writeString(
                directory.resolve("m.yaml"),
                "outputs:\n  a: {type: file, path: '" + directory + "/" + path + "', rotateSize: 1M, keep: " + keep
                        + "}\n");
        Result result = millrace("config", "check", file.toString());
        assertThat(result.exitCode()).isZero();
        assertThat(result.err()).hasSize(warns ? 1 : 0);
        assertThat(result.err())
                .allSatisfy(line -> assertThat(line)
                        .startsWith(
                                "warning: " + file + ":2:3: outputs.a: keep counts the renamed files of each path"));
    }

    @Test
    void warnsOfRelativeAndAbsolutePathsOfOneFile() throws IOException {
        String absolute = Path.of("").toAbsolutePath().toString();
        assertThat(checkPaths("logs/all.log", absolute + "/logs/{hostname}.log").err())
                .singleElement()
                .asString()
                .contains("outputs.b: ", "output 'a' (path 'logs/all.log')");
        assertThat(checkPaths("logs/all.log", absolute + "/{hostname}.log").err())
                .isEmpty();
    }

    @Test
    void doesNotWarnOfOutputsWithSeparateFiles() throws IOException {
        assertThat(checkPaths(
                                "DIR/all.log",
                                "DIR/a/{hostname}.log",
                                "DIR/b/{hostname}.log",
                                "DIR/b/{hostname}.json",
                                "DIR/{date}/x.log",
                                "DIR/{date}/y.log",
                                "DIR/{year}/z.log",
                                "DIR/{hour}/z.log")
                        .err())
                .isEmpty();
        Result same = checkPaths("DIR/all.log", "DIR/all.log");
        assertThat(same.exitCode()).isEqualTo(2);
        assertThat(same.err()).singleElement().asString().contains("outputs.b requires a file of its own");
    }

    /** A hundred outputs in one directory must not make thousands of warnings. */
    @Test
    void warnsOfEachOutputOnce() throws IOException {
        Result result = checkPaths("DIR/{hostname}.log", "DIR/b.log", "DIR/c.log", "DIR/d.log", "DIR/{appname}.log");
        assertThat(result.err()).hasSize(4);
        assertThat(result.err().get(3))
                .contains("outputs.e: ", "output 'a' (", "output 'b' (", "output 'c' (", ") and more; a file")
                .doesNotContain("'d'");
    }

    @Test
    void optionOverridesAnInvalidSetting() throws IOException {
        String file = file("receive: {transport: tcp, gro: on}\n");
        assertThat(millrace("run", "--config", file, "--transport", "nio"))
                .isEqualTo(new Result(
                        2,
                        List.of(),
                        List.of(file + ":1:32: receive.gro requires the transport native, and" + " this is nio")));
        assertThat(millrace("run", "--config", file, "--transport", "nio", "--gro", "perhaps"))
                .isEqualTo(new Result(2, List.of(), List.of("millrace: --gro accepts on or off, not 'perhaps'")));
    }

    @Test
    void checkReportsAValidFile() throws IOException {
        assertThat(millrace("config", "check").out()).containsExactly("defaults: right: 1 input, 0 outputs");
        String file = file("outputs: {a: {type: stdout}}\n");
        Result result = millrace("config", "check", "--config", file);
        assertThat(result.exitCode()).isZero();
        assertThat(result.out()).containsExactly(file + ": right: 1 input, 1 output");
        assertThat(result.err()).isEmpty();
    }

    @Test
    void outputOfShowPassesTheCheck() throws IOException {
        String file = file("data: \"/tmp/$$x y\"\noutputs: {a: {type: stdout, format: '{message}'}}\n");
        Result shown = millrace("config", "show", "--config", file);
        assertThat(shown.exitCode()).isZero();
        assertThat(shown.out())
                .contains("data: '/tmp/$$x y'", "  gro: off  # default", "# timeZone:  # not set: this host's");
        String again = file(String.join("\n", shown.out()));
        assertThat(millrace("config", "check", "--config", again).exitCode()).isZero();
    }

    private Result checkHttp(String settings) throws IOException {
        return millrace("config", "check", "--config", file("outputs: {a: {type: http, " + settings + "}}\n"));
    }

    @Test
    void bulkShapeRequiresJson() throws IOException {
        for (String format : List.of("raw", "rfc5424", "'{message}'")) {
            assertThat(checkHttp("url: 'http://h', shape: bulk, format: " + format)
                            .err())
                    .singleElement()
                    .asString()
                    .endsWith(":1:65: outputs.a.format accepts json for the shape bulk");
        }
        assertThat(checkHttp("url: 'http://h', shape: bulk").exitCode()).isZero();
        assertThat(checkHttp("url: 'http://h', format: raw").exitCode()).isZero();
    }

    @Test
    void problemOfASecretDoesNotShowIt() throws IOException {
        String url = "url: 'http://h', ";
        assertThat(List.of(
                        checkHttp(url + "headers: {X-Key: \"hunter2\\nx\"}"),
                        checkHttp(url + "headers: {Host: hunter2}"),
                        checkHttp(url + "headers: hunter2"),
                        checkHttp(url + "token: \"hunter2\\nx\""),
                        checkHttp(url + "user: me, password: \"hunter2\\nx\""),
                        checkHttp("url: 'http://h/?key=hunter2 x'"),
                        checkHttp("url: 'ftp://me:hunter2@h/?key=hunter2'")))
                .allMatch(it -> it.exitCode() == 2 && it.err().size() == 1)
                .extracting(it -> it.err().get(0).replaceFirst(".*: outputs.a", ""))
                .noneMatch(it -> it.contains("hunter2"))
                .containsExactly(
                        ": headers accepts one line without control characters for 'X-Key'; what is given is not shown",
                        ": headers accepts no header 'Host'",
                        ".headers accepts a mapping of names to texts, not a text",
                        ".token accepts visible ASCII characters without blanks; what is given is not shown",
                        ".password accepts one line without control characters; what is given is not shown",
                        ".url accepts a URL such as https://logs.example.com:9200: Illegal character in query at"
                                + " character 22",
                        ".url accepts http:// or https://, not one with a user");
        Path secret = Files.writeString(directory.resolve("secret"), "hunter2\r\n \n\n");
        assertThat(checkHttp(url + "token: '${file:" + secret + "}'").exitCode())
                .isZero();
    }

    /** A browser and curl send other bytes for such characters than the service compares, so it could never match. */
    @Test
    void rejectsATokenThatNoHeaderCanHold() throws IOException {
        for (String token : List.of("pässword1", "pass word1", "pass\\tword1", "")) {
            String file = file("admin: {token: \"" + token + "\"}\n");
            assertThat(millrace("config", "check", "--config", file).err())
                    .containsExactly(
                            file + ":1:16: admin.token accepts visible ASCII characters without blanks, which are"
                                    + " never shown; what is given is not shown");
        }
        assertThat(millrace("config", "check", "--config", file("admin: {token: 'a!~#9'}\n"))
                        .exitCode())
                .isZero();
    }

    @Test
    void warnsOfASecretTooShortToRedact() throws IOException {
        String file =
                file("outputs: {a: {type: http, url: 'https://h', user: me, password: abc}}\nadmin: {token: '1234'}\n");
        String text =
                " is too short to be hidden where it is part of another text, such as an error of a server; at least 4"
                        + " characters, or 6 digits, are";
        assertThat(millrace("config", "check", "--config", file))
                .isEqualTo(new Result(
                        0,
                        List.of(file + ": right: 1 input, 1 output"),
                        List.of(
                                "warning: " + file + ":1:65: outputs.a.password: " + text.strip(),
                                "warning: " + file + ":2:16: admin.token: " + text.strip())));
        assertThat(String.join(
                        "\n", millrace("config", "show", "--config", file).out()))
                .contains("password: '***'", "token: '***'")
                .doesNotContain("abc", "1234");
    }

    /** A secret that stands without quotes where YAML means something else by its first character. */
    @Test
    void yamlErrorsShowNoSecrets() throws IOException {
        for (String value : List.of(
                "*hunter2", "&hunter2 x", "!hunter2", "!hunter2 x", "{hunter2", "[hunter2", "%hunter2", "@hunter2")) {
            Result result = millrace("config", "check", "--config", file("admin:\n  token: " + value + "\n"));
            assertThat(result.exitCode()).as(value).isEqualTo(2);
            assertThat(String.join("\n", result.err())).as(value).doesNotContain("hunter2");
        }
    }

    @Test
    void showHidesSecretOrUnknownKafkaProperties() throws IOException {
        String file = file(
                "outputs: {a: {type: kafka, brokers: ['k:9'], topic: t, properties: {acks: all, metadata.max.age.ms: 61000,"
                        + " ssl.keystore.key: hidden01, ssl.truststore.certificates: hidden02, ssl.keystore.certificate.chain: hidden03,"
                        + " sasl.jaas.config: hidden04, my.plugin.setting: hidden05}}}\n");
        assertThat(String.join(
                        "\n", millrace("config", "show", "--config", file).out()))
                .contains("acks: all", "metadata.max.age.ms: 61000", "my.plugin.setting: '***'")
                .doesNotContain("hidden0");
    }

    @Test
    void showHidesSecretsOfHttpOutputs() throws IOException {
        String file = file("outputs: {a: {type: http, url: 'http://h/x?key=hunter2', token: hunter2, headers:"
                + " {X-Key: hunter2, Cookie: 'a=hunter2'}}}\n");
        Result shown = millrace("config", "show", "--config", file);
        assertThat(shown.out())
                .contains("    url: 'http://h/x?***'", "      X-Key: '***'", "      Cookie: '***'", "    token: '***'")
                .noneMatch(line -> line.contains("hunter2"));
    }

    @Test
    void printsTheReferenceInBothForms() {
        assertThat(millrace("config", "reference").out()).contains("receive.receiveBuffer", "    Default: 64M.");
        assertThat(millrace("config", "reference", "--format", "markdown").out())
                .startsWith("# Configuration")
                .contains("## `receive`");
        assertThat(millrace("config").exitCode()).isEqualTo(2);
    }

    @Test
    void helpOfRunNamesEverySetting() {
        String help = String.join("\n", millrace("run", "--help").out());
        for (String option : Arrays.asList("--config", "--listen", "--data", "--admin", "--receive-buffer", "--gro")) {
            assertThat(help).contains(option + "=");
        }
        assertThat(help).contains("64M");
    }
}
