package io.millrace.output.internal.http.elasticsearch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.output.internal.http.elasticsearch.BulkError.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Whose fault the errors of single documents are, in the words of the servers. */
class BulkErrorTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", quoteCharacter = '`', textBlock = """
            400 | illegal_argument_exception | Limit of total fields [1000] has been exceeded while adding new fields [1] | - | TOO_MANY_FIELDS
            400 | document_parsing_exception | failed to parse field [a] of type [date] | failed to parse date field [Limit of total fields] with format [x] | DOCUMENT_PARSING
            400 | mapper_parsing_exception | failed to parse field [a] of type [long]. Preview of field's value: 'pipeline with id [' | For input string: "shards open" | MAPPER_PARSING
            400 | document_parsing_exception | [1:9] failed to parse | Limit of total fields [1000] has been exceeded | TOO_MANY_FIELDS
            400 | validation_exception | Validation Failed: 1: this action would add [2] shards, but this cluster currently has [1000]/[1000] maximum normal shards open; | - | TOO_MANY_SHARDS
            400 | illegal_argument_exception | Validation Failed: 1: this action would add [2] total shards, but this cluster currently has [1000]/[1000] maximum shards open; | - | TOO_MANY_SHARDS
            400 | index_closed_exception | closed | - | CLOSED
            403 | cluster_block_exception | index [a] blocked by: [FORBIDDEN/8/index write (api)]; | - | READ_ONLY
            429 | cluster_block_exception | index [a] blocked by: [TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, index has read-only-allow-delete block]; | - | READ_ONLY
            400 | illegal_argument_exception | no write index is defined for alias [a]. The write index may be explicitly disabled | - | NO_WRITE_INDEX
            400 | illegal_argument_exception | pipeline with id [geo] does not exist | - | NO_PIPELINE
            400 | document_parsing_exception | [1:2] failed to parse: data stream timestamp field [@timestamp] is missing | data stream timestamp field [@timestamp] is missing | NO_TIMESTAMP
            400 | mapper_parsing_exception | failed to parse | data stream timestamp field [@timestamp] is missing | NO_TIMESTAMP
            400 | mapper_parsing_exception | failed to parse | documents must contain a single-valued timestamp field '@timestamp' of date type | NO_TIMESTAMP_OPENSEARCH
            404 | index_not_found_exception | no such index [a] and [action.auto_create_index] is [false] | - | NO_INDEX
            400 | invalid_index_name_exception | Invalid index name [_a], must not start with '_' | - | INVALID_NAME
            403 | security_exception | action [indices:data/write/bulk[s]] is unauthorized for user [u] | - | FORBIDDEN
            400 | document_parsing_exception | [1:20] failed to parse field [n] of type [long] in document with id 'x' | For input string | DOCUMENT_PARSING
            400 | mapper_parsing_exception | failed to parse field [n] of type [ip] | 'x' is not an IP string literal. | MAPPER_PARSING
            400 | strict_dynamic_mapping_exception | mapping set to strict, dynamic introduction of [x] within [_doc] is not allowed | - | STRICT_MAPPING
            400 | max_bytes_length_exceeded_exception | bytes can be at most 32766 in length; got 40000 | - | TOO_LONG
            400 | illegal_argument_exception | can't merge a non object mapping [a] with an object mapping | - | ILLEGAL_ARGUMENT
            """)
    void errorIsOfTheDocumentOrOfTheIndex(
            int status, String type, String reason, @Nullable String cause, BulkError error) throws IOException {
        String answer = answer(status, type, reason, cause);
        for (boolean namesVary : new boolean[] {false, true}) {
            boolean rejected = error.fault() == Fault.DOCUMENT
                    || error.fault() == Fault.SENDERS
                    || (namesVary && error.fault() == Fault.NAME);
            var verdict = BulkAnswer.read(answer.getBytes(UTF_8), 2, namesVary);
            assertThat(verdict.toString()).contains(status + " " + type + ": ").contains(error.remedy());
            assertThat(verdict.toString())
                    .as("%s, names vary: %s", error, namesVary)
                    .contains(rejected ? "rejected 1, later 0" : "rejected 0, later 1");
        }
    }

    private static String answer(int status, String type, String reason, @Nullable String cause) {
        ObjectNode answer = JSON.createObjectNode().put("took", 1).put("errors", true);
        var items = answer.putArray("items");
        items.addObject().putObject("create").put("status", 201);
        ObjectNode error =
                items.addObject().putObject("create").put("status", status).putObject("error");
        error.put("type", type).put("reason", reason);
        if (cause != null) {
            error.putObject("caused_by")
                    .put("type", "illegal_argument_exception")
                    .put("reason", cause);
        }
        return answer.toString();
    }

    @ParameterizedTest
    @CsvSource({"429,LATER", "503,LATER", "500,LATER", "400,REJECTED", "422,REJECTED"})
    void unknownErrorIsWhatItsStatusSays(int status, String expected) throws IOException {
        String answer = answer(status, "some_exception", "why", null);
        assertThat(BulkAnswer.read(answer.getBytes(UTF_8), 2, false).toString())
                .contains(expected.equals("LATER") ? "rejected 0, later 1" : "rejected 1, later 0");
    }

    /** A document that exists was sent before. */
    @Test
    void conflictIsNoError() throws IOException {
        String answer = answer(409, "version_conflict_engine_exception", "document already exists", null);
        assertThat(BulkAnswer.read(answer.getBytes(UTF_8), 2, false).toString()).startsWith("ALL");
    }

    @ParameterizedTest
    @EnumSource
    void documentationHasEachError(BulkError error) throws IOException {
        assertThat(Files.readString(Path.of("../docs/outputs/elasticsearch.md")))
                .contains("`" + error.sign() + "`")
                .contains(error.remedy());
    }
}
