package io.millrace.output.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.message.LineFormat;
import io.millrace.output.Compression;
import io.millrace.output.TestServer;
import io.millrace.output.http.HttpReceiver.Reply;
import io.millrace.output.internal.http.HttpSink;
import io.millrace.sink.Sink;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Inserts into ClickHouse. A constraint of the table rejects some rows, and with each the whole insert. */
class ClickHouseSinkTest extends HttpSinkContract {
    private final ClickHouseReceiver clickHouse = new ClickHouseReceiver();
    private UnaryOperator<ClickHouseSettings.Builder> settings = it -> it;
    private Duration doubt = HttpSink.DOUBT;

    @Override
    HttpReceiver http() {
        return clickHouse.http();
    }

    @Override
    protected TestServer newServer() {
        return clickHouse;
    }

    private ClickHouseSettings.Builder base() {
        return ClickHouseSettings.builder()
                .url(clickHouse.uri())
                .table("db.logs")
                .user(ClickHouseReceiver.USER)
                .password(ClickHouseReceiver.PASSWORD)
                .connectTimeout(Duration.ofSeconds(5))
                .timeout(Duration.ofSeconds(5));
    }

    @Override
    protected Sink newSink() {
        return settings.apply(base()).build().sink(doubt, HttpSink.SEARCH);
    }

    /** Begins again with other settings. */
    private void with(UnaryOperator<ClickHouseSettings.Builder> change) throws Exception {
        close();
        settings = change;
        open();
    }

    @Override
    protected boolean isAcknowledged() {
        return true;
    }

    @Override
    protected byte[] refusedPayload() {
        return "refuse-me".getBytes(UTF_8);
    }

    @Override
    protected String refusal() {
        return "HTTP 500: Code: 469. DB::Exception: as the test says";
    }

    private void awaitProblem(String text) {
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(status().problem()).isNotNull().contains(text));
    }

    private void sendText(String message) throws IOException {
        send(List.of(message.getBytes(UTF_8)));
    }

    /** Each key of the format is a column of the table for users, and each column a key. */
    @Test
    void tableHasAColumnForEachKey() throws IOException {
        String source = Files.readString(
                Path.of("../collector-core/src/main/java/io/millrace/internal/format/JsonFormat.java"));
        TreeSet<String> keys = new TreeSet<>();
        Pattern.compile("[{,]\\\\\"([a-z_]+)\\\\\":").matcher(source).results().forEach(key -> keys.add(key.group(1)));
        assertThat(keys).hasSizeGreaterThan(25);
        assertThat(ClickHouseReceiver.columns().keySet()).containsExactlyInAnyOrderElementsOf(keys);
    }

    @Test
    void rowHasTheColumns() throws Exception {
        sendText("<34>1 2026-11-21T10:00:00.123456789Z fw1 app 7 id [a@1 b=\"c\"] say \"hi\"\u0001");
        await().atMost(SOON).until(() -> status().pending() == 0);
        JsonNode row = clickHouse.rows().get(0);
        assertThat(row.get("timestamp").asText()).isEqualTo("2026-11-21T10:00:00.123456789Z");
        assertThat(row.get("message").asText()).isEqualTo("say \"hi\"\u0001");
        assertThat(row.get("structured_data").isObject()).isTrue();
        with(it -> it.format(LineFormat.of("json-flat")).table("logs"));
        sendText("<34>1 - fw1 app 7 id [a@1 b=\"c\"] flat");
        await().atMost(SOON).until(() -> status().pending() == 0);
        assertThat(clickHouse.rows().get(1).get("structured_data").isArray()).isTrue();
    }

    /** A retry repeats the request, and the server ignores it. */
    @Test
    void lostAnswerMakesNoDuplicate() throws Exception {
        clickHouse.loseAnswers(3);
        send(0, 50);
        awaitAll(50);
        assertThat(arrived()).isEqualTo(numbers(0, 50));
        assertThat(status().retries()).isEqualTo(3);
    }

    @Test
    void sameTextsAreNoDuplicates() throws Exception {
        for (int i = 0; i < 3; i++) {
            sendText("<34>1 2026-11-21T10:00:00Z host app - - - n=1;");
            await().atMost(SOON).until(() -> status().pending() == 0);
        }
        assertThat(arrived()).containsExactly(1, 1, 1);
    }

    @ParameterizedTest
    @EnumSource
    void compressesRequests(Compression compression) throws Exception {
        with(it -> it.compression(compression));
        send(0, 20);
        awaitAll(20);
    }

    static Stream<OutputPage.Row> errors() throws IOException {
        return OutputPage.rows("clickhouse");
    }

    /** Each code of the documented table. The statuses do not matter, which differ between versions. */
    @ParameterizedTest
    @MethodSource("errors")
    void codeHasTheDocumentedResult(OutputPage.Row row) throws Exception {
        int status = row.code() % 2 == 0 ? 400 : 500;
        clickHouse.reject(line -> line.contains("reject-me"), status, row.code());
        List<byte[]> payloads = new ArrayList<>(List.of("<34>1 - h app - - - reject-me n=3;".getBytes(UTF_8)));
        for (int i = 0; i < 3; i++) {
            payloads.add(numbered(i));
        }
        clickHouse.close();
        send(payloads);
        clickHouse.start();
        if (row.result().equals("dead letter")) {
            await().atMost(SOON).until(() -> status().pending() == 0);
            assertThat(status().counts().deadLettered()).isEqualTo(1);
            assertThat(arrived()).containsExactly(0, 1, 2);
        } else {
            awaitProblem("Code: " + row.code() + ".");
            assertThat(status().counts().deadLettered()).isZero();
            clickHouse.reject(line -> false, 0, 0);
            awaitAll(4);
        }
    }

    @Test
    void waitsForTheTable() throws Exception {
        with(it -> it.table("db.later"));
        send(0, 10);
        awaitProblem("(create the table, or check 'table')");
        clickHouse.create("db.later");
        awaitAll(10);
        assertThat(status().counts().deadLettered()).isZero();
    }

    /** No message fits, so no message is at fault, after ten. */
    @Test
    void waitsForAColumnThatTakesNothing() throws Exception {
        clickHouse.changeColumn("hostname", "UInt8");
        send(0, 50);
        awaitProblem("whatever it is sent, even a single message, it answers HTTP 400: Code: 27.");
        clickHouse.changeColumn("hostname", "String");
        await().atMost(SOON).until(() -> status().pending() == 0);
        assertThat(status().counts().deadLettered()).isLessThanOrEqualTo(10);
        assertThat(arrived()).hasSizeGreaterThanOrEqualTo(40);
    }

    /** A message alone in its batch has no other that is accepted. */
    @Test
    void rejectedMessageAloneStopsNothing() throws Exception {
        for (int i = 0; i < 3; i++) {
            send(List.of(refusedPayload()));
            long count = i + 1L;
            await().atMost(SOON).until(() -> status().counts().deadLettered() == count);
        }
        assertThat(status().retries()).isZero();
        send(0, 10);
        awaitAll(10);
    }

    @Test
    void saysThatThePasswordIsWrong() throws Exception {
        with(it -> it.password("wrong-words-of-a-test"));
        send(0, 1);
        awaitProblem("(check 'user' and 'password')");
        assertThat(status().problem()).doesNotContain("wrong-words");
    }

    @Test
    void errorAfterStatus200IsAnError() throws Exception {
        clickHouse.http().script(new Reply(200, Map.of("X-ClickHouse-Exception-Code", "241"), ""));
        clickHouse.http().script(Reply.of(200, "Code: 243. DB::Exception: Cannot reserve 1.00 MiB"));
        clickHouse.http().script(Reply.of(200, "<html>Sign in</html>"));
        send(0, 1);
        awaitAll(1);
        assertThat(status().retries()).isEqualTo(3);
    }

    @Test
    void unknownCodeOfTheServerOnlyDelays() throws Exception {
        clickHouse.http().script(Reply.of(500, "Code: 2999. DB::Exception: new"));
        send(0, 1);
        awaitAll(1);
        assertThat(status().retries()).isEqualTo(1);
    }

    @Test
    void tooLongRequestsAreHalved() throws Exception {
        clickHouse.http().script(Reply.of(413, "<html>Request Entity Too Large</html>"));
        send(0, 50);
        awaitAll(50);
        assertThat(status().counts().deadLettered()).isZero();
    }

    @Test
    void probeInsertsNothing() throws Exception {
        assertThat(base().build().connect("out", Duration.ofSeconds(5)))
                .isEqualTo(clickHouse.uri() + "/ answers HTTP 200 to a request without messages, as it should");
        assertThatThrownBy(() -> base().table("nowhere.logs").build().connect("out", Duration.ofSeconds(5)))
                .hasMessageContaining("Code: 81.");
        assertThatThrownBy(
                        () -> base().password("wrong-words-of-a-test").build().connect("out", Duration.ofSeconds(5)))
                .hasMessageContaining("Code: 516.");
        assertThat(clickHouse.rows()).isEmpty();
    }

    @Test
    void rejectsInvalidSettings() {
        assertThat(base().url(URI.create("http://h/ch?a=b"))
                        .table("t")
                        .build()
                        .target()
                        .toString())
                .startsWith("http://h/ch?a=b&query=INSERT+INTO+%60t%60+FORMAT+JSONEachRow&");
        for (String table : List.of("a.b.c", "a-b", "a`b", "1a", "", "a.")) {
            assertThatIllegalArgumentException().as(table).isThrownBy(() -> base().table(table));
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> base().format(LineFormat.of("ecs")).build())
                .withMessage("format accepts json or json-flat for this type");
    }
}
