package io.millrace.output.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.internal.format.JsonFormat;
import io.millrace.internal.format.RawFormat;
import io.millrace.message.LineFormat;
import io.millrace.output.Compression;
import io.millrace.output.SinkContract;
import io.millrace.output.TestServer;
import io.millrace.output.internal.http.HttpConnection;
import io.millrace.output.internal.name.NameLimit;
import io.millrace.output.internal.name.NameTemplate;
import io.millrace.output.internal.tls.TlsSettings;
import io.millrace.output.s3.S3Receiver.Reply;
import io.millrace.sink.Adjustment;
import io.millrace.sink.Sink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("once")
class S3SinkTest extends SinkContract {
    private static final Pattern NAME = Pattern.compile(
            "/logs/(?<prefix>.*)\\d{8}T\\d{6}Z-archive-[0-9a-f]{16}-0-(?<first>[0-9.]+)-(?<last>[0-9.]+)-[0-9a-f]{8}\\.ndjson(\\.gz|\\.zst)?");
    private static final HttpConnection.Limits LIMITS =
            new HttpConnection.Limits(Duration.ofSeconds(5), Duration.ofSeconds(5));

    private final S3Receiver receiver = new S3Receiver();
    private Compression compression = Compression.GZIP;
    private HttpConnection.Limits limits = LIMITS;
    private String prefix = "p/";
    private int maxPrefixes = 100;
    private LineFormat format = new JsonFormat();

    @Override
    protected TestServer newServer() {
        return receiver;
    }

    @Override
    protected Sink newSink() {
        S3Bucket bucket = new S3Bucket(
                new S3Place(receiver.uri(), "us-east-1", "logs", null),
                new S3Credentials("access", "words-of-a-test", null),
                limits,
                TlsSettings.DEFAULT);
        return new S3Sink(
                "archive",
                bucket,
                format,
                NameTemplate.parse(prefix),
                new NameLimit(maxPrefixes, 100, System::nanoTime),
                compression);
    }

    @Override
    protected boolean isAcknowledged() {
        return true;
    }

    @Override
    protected boolean refusesNothing() {
        return true;
    }

    @Override
    protected void rejectedRecordBecomesADeadLetterWithoutDelay() {
        // A server of objects does not look into them.
    }

    @Override
    protected byte[] refusedPayload() {
        throw new UnsupportedOperationException();
    }

    @Override
    protected String refusal() {
        throw new UnsupportedOperationException();
    }

    @Override
    protected void expectHostileMessages() throws Exception {
        prefix = "{hostname}/";
        restart();
    }

    /** Begins again with other settings. */
    private void restart() throws Exception {
        collector().close();
        startCollectorAgain();
    }

    private void awaitDelivered(int count) {
        awaitAll(count);
        assertThat(status().counts().acked()).isEqualTo(count);
        assertThat(status().counts().deadLettered()).isZero();
    }

    private String awaitedProblem() {
        // It is gone when the next attempt succeeds.
        await().atMost(SOON).pollInterval(Duration.ofMillis(5)).until(() -> status().problem() != null);
        return String.valueOf(status().problem());
    }

    private static Matcher name(String path) {
        Matcher name = NAME.matcher(path);
        assertThat(name.matches()).as(path).isTrue();
        return name;
    }

    @Test
    void nameOfAnObjectHasTheIdentitiesInIt() throws Exception {
        send(0, 120);
        awaitDelivered(120);
        long next = 0;
        for (Map.Entry<String, String> object : receiver.objects().entrySet()) {
            Matcher name = name(object.getKey());
            List<String> lines = object.getValue().lines().toList();
            assertThat(Long.parseLong(name.group("first"))).isEqualTo(next);
            next = Long.parseLong(name.group("last")) + 1;
            assertThat(lines).hasSize((int) (next - Long.parseLong(name.group("first"))));
            assertThat(lines.get(0)).contains("\"sequence\":" + name.group("first") + ",");
            assertThat(lines.get(lines.size() - 1)).contains("\"sequence\":" + name.group("last") + ",");
        }
        assertThat(next).isEqualTo(120);
        assertThat(receiver.requests().get(0).getFirst("Authorization"))
                .startsWith("AWS4-HMAC-SHA256 Credential=access/")
                .doesNotContain("words-of-a-test");
    }

    @Test
    void nameHasThePartsOfADatagram() throws Exception {
        splitLines();
        send(List.of((new String(numbered(0), UTF_8) + "\n" + new String(numbered(1), UTF_8)).getBytes(UTF_8)));
        awaitAll(2);
        Matcher name = name(receiver.puts().get(0));
        assertThat(name.group("first")).isEqualTo("0.0");
        assertThat(name.group("last")).isEqualTo("0.1");
    }

    @Test
    void prefixHasFieldsOfTheMessage() throws Exception {
        prefix = "x/{hostname}/";
        restart();
        List<byte[]> payloads = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            payloads.add(("<13>1 - host" + i % 4 + " app - - - n=" + i + ";").getBytes(UTF_8));
        }
        payloads.add("<13>1 - ../ap+p app - - - n=40;".getBytes(UTF_8));
        send(payloads);
        awaitDelivered(41);
        receiver.objects().forEach((path, text) -> {
            String directory = name(path).group("prefix").split("/", -1)[1];
            if (directory.startsWith("host")) {
                assertThat(text.lines()).allMatch(line -> line.contains("\"hostname\":\"" + directory + "\""));
            } else {
                assertThat(directory).isEqualTo("_._ap_p");
            }
        });
        assertThat(status().adjusted()).containsEntry(Adjustment.RENAMED, 0L);
    }

    @Test
    void messagesDoNotMakeMorePrefixesThanAllowed() throws Exception {
        prefix = "{hostname}/";
        maxPrefixes = 3;
        restart();
        List<byte[]> payloads = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            payloads.add(("<13>1 - host" + i % 10 + " app - - - n=" + i + ";").getBytes(UTF_8));
        }
        send(payloads);
        awaitDelivered(50);
        assertThat(receiver.objects().keySet().stream()
                        .map(path -> name(path).group("prefix"))
                        .distinct())
                .containsExactlyInAnyOrder("host0/", "host1/", "host2/", "@other/");
        assertThat(status().adjusted()).containsEntry(Adjustment.RENAMED, 35L);
    }

    @ParameterizedTest
    @EnumSource
    void compressesObjects(Compression how) throws Exception {
        compression = how;
        restart();
        send(0, 30);
        awaitDelivered(30);
        assertThat(receiver.puts())
                .allMatch(path -> path.endsWith(
                        switch (how) {
                            case NONE -> ".ndjson";
                            case GZIP -> ".ndjson.gz";
                            case ZSTD -> ".ndjson.zst";
                        }));
    }

    @Test
    void otherFormatsHaveAnotherSuffix() throws Exception {
        format = new RawFormat();
        compression = Compression.NONE;
        restart();
        send(0, 3);
        awaitDelivered(3);
        assertThat(receiver.puts()).allMatch(path -> path.endsWith(".log"));
        assertThat(receiver.requests().get(0).getFirst("Content-Type")).isEqualTo("text/plain");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "403 | InvalidAccessKeyId    | : the server does not know this accessKey: correct it.",
                "403 | SignatureDoesNotMatch | : secretKey does not belong to accessKey: correct it.",
                "403 | AccessDenied          | : this key may not write there: allow it s3:PutObject",
                "403 | RequestTimeTooSkewed  | : the clocks of this host and of the server differ",
                "400 | ExpiredToken          | : sessionToken is not valid any more",
                "404 | NoSuchBucket          | : there is no such bucket: create it, or correct 'bucket'",
                "301 | PermanentRedirect     | : the bucket is in another region",
                "503 | SlowDown              | : too many requests for now",
                "429 | TooManyRequests       | : too many requests for now",
                "500 | InternalError         | . The server says: as the server says",
                "413 | EntityTooLarge        | . The server says: as the server says"
            })
    void eachAnswerButASuccessDelaysAndSaysWhatToDo(int status, String code, String remedy) throws Exception {
        for (int i = 0; i < 4; i++) {
            receiver.script(Reply.error(status, code));
        }
        send(0, 10);
        assertThat(awaitedProblem())
                .startsWith(receiver.uri() + "/logs: HTTP " + status + " " + code + remedy)
                .endsWith("The server says: as the server says");
        awaitDelivered(10);
        assertThat(status().retries()).isEqualTo(4);
    }

    @Test
    void answerWithoutXmlSaysWhatToDoToo() throws Exception {
        for (int i = 0; i < 4; i++) {
            receiver.script(new Reply(403, i % 2 == 0 ? "forbidden by a proxy" : ""));
        }
        send(0, 1);
        assertThat(awaitedProblem())
                .endsWith("/logs: HTTP 403: this key may not write there: allow it s3:PutObject in"
                        + " the bucket, or use another key");
        awaitDelivered(1);
    }

    /** Objects that the server has are not put again with those that failed. */
    @Test
    void partOfABatchIsNotPutAgain() throws Exception {
        prefix = "{hostname}/";
        restart();
        receiver.close();
        List<byte[]> payloads = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            payloads.add(("<13>1 - host" + i + " app - - - n=" + i + ";").getBytes(UTF_8));
        }
        send(payloads);
        assertThat(awaitedProblem()).endsWith("the connection was refused");
        receiver.start();
        awaitDelivered(50);
        int before = receiver.puts().size();
        receiver.script(Reply.error(500, "InternalError"));
        payloads.replaceAll(
                payload -> new String(payload, UTF_8).replace("n=", "n=1").getBytes(UTF_8));
        send(payloads.subList(20, 50));
        awaitDelivered(80);
        assertThat(receiver.puts().size() - before).isBetween(30, 38);
    }

    @Test
    void slowResponseIsATimeout() throws Exception {
        receiver.delay(500);
        limits = new HttpConnection.Limits(Duration.ofSeconds(5), Duration.ofMillis(200));
        restart();
        send(0, 1);
        assertThat(awaitedProblem()).endsWith("no answer within 200 ms");
        receiver.delay(0);
        awaitDelivered(1);
    }
}
