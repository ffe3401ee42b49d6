package io.millrace.output.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.output.TestServer;
import io.millrace.output.http.HttpReceiver.Reply;
import io.millrace.output.http.HttpReceiver.Request;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.net.URI;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A model of ClickHouse's HTTP interface, with the table of {@code clickhouse.sql}. Each rule names its source: HTTP is "HTTP Interface", FORMAT is
 * "JSONEachRow" and "Format settings", TYPES is "Data types", DEDUP is "Deduplicating Inserts on Retries", CODES is {@code
 * src/Common/ErrorCodes.cpp} with {@code src/Server/HTTP/exceptionCodeToHTTPStatus.cpp}.
 */
final class ClickHouseReceiver implements TestServer {
    static final String USER = "millrace";
    static final String PASSWORD = "words-of-a-test";

    private static final Pattern INSERT =
            Pattern.compile("INSERT INTO (?:`([^`]+)`\\.)?`([^`]+)` FORMAT JSONEachRow", Pattern.CASE_INSENSITIVE);

    /** Settings of a query, with what they take. */
    private static final Map<String, String> SETTINGS = Map.of(
            "date_time_input_format", "basic|best_effort|best_effort_us",
            "input_format_skip_unknown_fields", "[01]",
            "input_format_json_read_objects_as_strings", "[01]",
            "input_format_json_read_arrays_as_strings", "[01]",
            "wait_end_of_query", "[01]",
            "async_insert", "[01]",
            "insert_deduplicate", "[01]",
            "insert_deduplication_token", ".+");

    private final ObjectMapper json = new ObjectMapper().enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);
    private final HttpReceiver receiver = new HttpReceiver(this::answer);
    private final Map<String, String> columns = columns();
    private final Set<String> tables = new HashSet<>(Set.of("logs", "db.logs"));
    private final Set<String> tokens = new HashSet<>();
    private final List<JsonNode> rows = new ArrayList<>();

    private Predicate<String> rejected = row -> row.contains("refuse-me");
    private int rejectedStatus = 500;
    private int rejectedCode = 469;
    private int losesAnswers;

    /** The columns of the table for users, with their types. */
    static Map<String, String> columns() {
        try (InputStream in = ClickHouseSettings.class.getResourceAsStream("clickhouse.sql")) {
            Map<String, String> columns = new LinkedHashMap<>();
            Matcher column = Pattern.compile("(?m)^ {4}([a-z_]+) (\\S+(?: '[^']*'\\))?)")
                    .matcher(new String(Objects.requireNonNull(in).readAllBytes(), UTF_8));
            while (column.find()) {
                columns.put(column.group(1), column.group(2).replaceFirst(",$", ""));
            }
            return columns;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    synchronized void reject(Predicate<String> row, int status, int code) {
        rejected = row;
        rejectedStatus = status;
        rejectedCode = code;
    }

    synchronized void loseAnswers(int count) {
        losesAnswers = count;
    }

    synchronized void changeColumn(String name, String type) {
        columns.put(name, type);
    }

    synchronized List<JsonNode> rows() {
        return List.copyOf(rows);
    }

    synchronized void create(String table) {
        tables.add(table);
    }

    HttpReceiver http() {
        return receiver;
    }

    URI uri() {
        return receiver.uri();
    }

    private synchronized Reply answer(Request request, List<String> received) throws IOException {
        if (!request.path().equals("/")) {
            // HTTP: other paths have no handler.
            return Reply.of(404, "There is no handle " + request.path());
        }
        if (!request.method().equals("POST")) {
            // HTTP: GET is read-only.
            return error(500, 164, "Cannot execute query in readonly mode");
        }
        String basic = "Basic " + Base64.getEncoder().encodeToString((USER + ":" + PASSWORD).getBytes(UTF_8));
        if (!basic.equals(request.headers().getFirst("Authorization"))) {
            return error(403, 516, "Authentication failed: password is incorrect, or there is no user with such name");
        }
        Map<String, String> settings = new HashMap<>(request.query());
        String query = String.valueOf(settings.remove("query"));
        for (Map.Entry<String, String> each : settings.entrySet()) {
            String takes = SETTINGS.get(each.getKey());
            if (takes == null) {
                return error(404, 115, "Unknown setting '" + each.getKey() + "'");
            }
            if (!each.getValue().matches(takes)) {
                return error(400, 36, "Bad value of " + each.getKey());
            }
        }
        Matcher insert = INSERT.matcher(query);
        if (!insert.matches()) {
            return error(400, 62, "Syntax error");
        }
        String database = insert.group(1);
        if (database != null && !tables.stream().anyMatch(each -> each.startsWith(database + "."))) {
            return error(404, 81, "Database " + database + " does not exist");
        }
        if (!tables.contains((database == null ? "" : database + ".") + insert.group(2))) {
            return error(404, 60, "Table " + insert.group(2) + " does not exist");
        }
        return insert(request.body(), settings, received);
    }

    /** HTTP: the code is in a header, and the body is the text. */
    private static Reply error(int status, int code, String text) {
        return new Reply(
                status,
                Map.of("X-ClickHouse-Exception-Code", Integer.toString(code)),
                "Code: " + code + ". DB::Exception: " + text + ". (version 25.8.1.1)");
    }

    /** A block is inserted as a whole, or not at all. */
    private Reply insert(String body, Map<String, String> settings, List<String> received) throws IOException {
        List<JsonNode> block = new ArrayList<>();
        for (String line : body.lines().toList()) {
            JsonNode row;
            try {
                row = json.readTree(line);
            } catch (JsonProcessingException e) {
                return error(400, 27, "Cannot parse input");
            }
            Reply invalid = check(row, settings);
            if (invalid != null) {
                return invalid;
            }
            if (rejected.test(line)) {
                return error(rejectedStatus, rejectedCode, "as the test says");
            }
            block.add(row);
        }
        // DEDUP: a block with a known token is not inserted, and the insert succeeds. An empty one has no block.
        String token = settings.get("insert_deduplication_token");
        boolean known = token != null && !block.isEmpty() && !tokens.add(token);
        if (!known) {
            block.forEach(row -> received.add(row.toString()));
            rows.addAll(block);
        }
        if (losesAnswers > 0 && !block.isEmpty()) {
            losesAnswers--;
            return Reply.of(502, "the rows are there, but who knows");
        }
        return new Reply(200, Map.of("X-ClickHouse-Summary", "{\"written_rows\":\"" + block.size() + "\"}"), "");
    }

    private @Nullable Reply check(JsonNode row, Map<String, String> settings) {
        if (!row.isObject()) {
            return error(400, 27, "Cannot parse input: expected '{'");
        }
        for (Map.Entry<String, JsonNode> each : row.properties()) {
            String type = columns.get(each.getKey());
            if (type == null) {
                // FORMAT: an error without input_format_skip_unknown_fields.
                if (!"1".equals(settings.get("input_format_skip_unknown_fields"))) {
                    return error(400, 117, "Unknown field found while parsing JSONEachRow format: " + each.getKey());
                }
                continue;
            }
            Reply invalid = check(
                    type.replaceFirst("^(?:Nullable|LowCardinality)\\((.*)\\)$", "$1"), each.getValue(), settings);
            if (invalid != null) {
                return invalid;
            }
        }
        return null;
    }

    private static @Nullable Reply check(String type, JsonNode value, Map<String, String> settings) {
        if (type.startsWith("DateTime64")) {
            // FORMAT: basic takes YYYY-MM-DD hh:mm:ss only. TYPES: 1900 to 2262 with nine digits.
            boolean iso =
                    settings.getOrDefault("date_time_input_format", "basic").startsWith("best_effort");
            String form = iso
                    ? "\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?(Z|[+-]\\d\\d:\\d\\d)?"
                    : "\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?";
            return value.isTextual() && value.asText().matches(form) ? null : error(400, 41, "Cannot parse DateTime");
        }
        if (type.startsWith("UInt")) {
            // TYPES: from 0 to 2^N - 1; a larger one overflows, which the model does not take.
            BigInteger max = BigInteger.ONE.shiftLeft(Integer.parseInt(type.substring(4)));
            boolean fits = value.isIntegralNumber()
                    && value.bigIntegerValue().signum() >= 0
                    && value.bigIntegerValue().compareTo(max) < 0;
            return fits ? null : error(400, 27, "Cannot parse input: expected a number");
        }
        if (type.equals("Bool")) {
            return value.isBoolean() ? null : error(500, 467, "Cannot parse boolean value");
        }
        if (type.startsWith("Array(")) {
            return value.isArray() ? null : error(400, 130, "Array does not start with '['");
        }
        // FORMAT: objects and arrays are strings with these settings.
        boolean isString = value.isTextual()
                || (value.isObject() && "1".equals(settings.get("input_format_json_read_objects_as_strings")))
                || (value.isArray() && "1".equals(settings.get("input_format_json_read_arrays_as_strings")));
        return isString ? null : error(400, 26, "Cannot parse JSON string: expected opening quote");
    }

    @Override
    public void start() throws IOException {
        receiver.start();
    }

    @Override
    public void close() {
        receiver.close();
    }

    @Override
    public List<String> received() {
        return receiver.received();
    }

    @Override
    public void delay(long ms) {
        receiver.delay(ms);
    }
}
