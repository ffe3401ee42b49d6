package io.millrace.output.internal.http.elasticsearch;

import io.millrace.output.internal.http.HttpAnswer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The errors of an item in the answer of a bulk request, and whose fault they are: the table of {@code docs/outputs/elasticsearch.md}. The first that fits
 * counts. The types and texts are those of Elasticsearch 7 to 9 and OpenSearch 1 to 3.
 */
enum BulkError {
    TOO_MANY_FIELDS(
            null,
            "Limit of total fields",
            Fault.SENDERS,
            "raise index.mapping.total_fields.limit, or use the index template of Millrace"),
    TOO_MANY_SHARDS(
            null,
            "Validation Failed: 1: this action would add",
            Fault.NAME,
            "delete indexes, or raise cluster.max_shards_per_node"),
    CLOSED("index_closed_exception", null, Fault.NAME, "open the index"),
    READ_ONLY(
            "cluster_block_exception",
            null,
            Fault.INDEX,
            "the index is read-only: free disk space, or remove the block"),
    NO_WRITE_INDEX(null, "no write index is defined for alias", Fault.NAME, "give the alias a write index"),
    NO_PIPELINE(null, "pipeline with id [", Fault.INDEX, "create the pipeline, or take it out of the index settings"),
    NO_TIMESTAMP(
            null,
            "data stream timestamp field [@timestamp] is missing",
            Fault.INDEX,
            "a data stream needs 'format: ecs'"),
    NO_TIMESTAMP_OPENSEARCH(
            null,
            "documents must contain a single-valued timestamp field",
            Fault.INDEX,
            "a data stream needs 'format: ecs'"),
    NO_INDEX("index_not_found_exception", null, Fault.NAME, "create the index, or allow its automatic creation"),
    INVALID_NAME("invalid_index_name_exception", null, Fault.NAME, "change 'index'"),
    FORBIDDEN("security_exception", null, Fault.NAME, "this user may not write to the index"),
    DOCUMENT_PARSING("document_parsing_exception", null, Fault.DOCUMENT, ""),
    MAPPER_PARSING("mapper_parsing_exception", null, Fault.DOCUMENT, ""),
    STRICT_MAPPING("strict_dynamic_mapping_exception", null, Fault.DOCUMENT, ""),
    TOO_LONG("max_bytes_length_exceeded_exception", null, Fault.DOCUMENT, ""),
    ILLEGAL_ARGUMENT("illegal_argument_exception", null, Fault.DOCUMENT, "");

    /** Whose fault an error is. */
    enum Fault {
        /** The document does not fit: it becomes a dead letter. */
        DOCUMENT,
        /**
         * The index is full of what senders may choose. The output waits, but not for long: what one message has in it must not stop the others.
         */
        SENDERS,
        /** The index takes nothing: the output waits. */
        INDEX,
        /** So it is if the name is fixed. If messages choose names, one of them must not stop the others: it becomes a dead letter. */
        NAME
    }

    private final @Nullable String type;
    private final @Nullable String text;
    private final Fault fault;
    private final String remedy;

    BulkError(@Nullable String type, @Nullable String text, Fault fault, String remedy) {
        this.type = type;
        this.text = text;
        this.fault = fault;
        this.remedy = remedy;
    }

    /**
     * The error of an item; null if it is none of these.
     *
     * @param reasons those of the error and of its causes. A text is looked for at their beginning only, because they quote values of the document
     */
    static @Nullable BulkError of(String type, List<String> reasons) {
        for (BulkError error : values()) {
            String text = error.text;
            boolean isType = error.type == null || error.type.equals(type);
            if (isType && (text == null || reasons.stream().anyMatch(reason -> reason.startsWith(text)))) {
                return error;
            }
        }
        return null;
    }

    /** Whose fault an item's error is: that of a known error, or else what the status says. */
    static Fault fault(@Nullable BulkError error, int status) {
        if (error != null && error.fault != Fault.DOCUMENT) {
            return error.fault;
        }
        return status == 0 || HttpAnswer.isPassing(status) ? Fault.INDEX : Fault.DOCUMENT;
    }

    /** The type, or the text of an error that has several types. */
    String sign() {
        return type == null ? String.valueOf(text) : type;
    }

    Fault fault() {
        return fault;
    }

    /** What to do; empty if nothing is to be done on the server. */
    String remedy() {
        return remedy;
    }
}
