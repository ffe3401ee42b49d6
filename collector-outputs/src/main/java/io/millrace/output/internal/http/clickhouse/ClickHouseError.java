package io.millrace.output.internal.http.clickhouse;

import org.jspecify.annotations.Nullable;

/**
 * Errors of an insert, with the names and codes of ClickHouse ({@code src/Common/ErrorCodes.cpp}), and whose fault they are: the table of {@code
 * docs/outputs/clickhouse.md}. The status does not say it: many errors of a row are answered with 500.
 */
enum ClickHouseError {
    CANNOT_PARSE_TEXT(6),
    CANNOT_PARSE_ESCAPE_SEQUENCE(25),
    CANNOT_PARSE_QUOTED_STRING(26),
    CANNOT_PARSE_INPUT_ASSERTION_FAILED(27),
    CANNOT_READ_ALL_DATA(33),
    CANNOT_PARSE_DATE(38),
    CANNOT_PARSE_DATETIME(41),
    TYPE_MISMATCH(53),
    ARGUMENT_OUT_OF_BOUND(69),
    CANNOT_CONVERT_TYPE(70),
    CANNOT_PARSE_NUMBER(72),
    INCORRECT_DATA(117),
    TOO_LARGE_ARRAY_SIZE(128),
    CANNOT_READ_ARRAY_FROM_TEXT(130),
    TOO_LARGE_STRING_SIZE(131),
    VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE(321),
    CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN(349),
    CANNOT_PARSE_UUID(376),
    FUNCTION_THROW_IF_VALUE_IS_NON_ZERO(395),
    DECIMAL_OVERFLOW(407),
    CANNOT_PARSE_DOMAIN_VALUE_FROM_STRING(441),
    CANNOT_PARSE_BOOL(467),
    VIOLATED_CONSTRAINT(469),
    CANNOT_PARSE_IPV4(675),
    CANNOT_PARSE_IPV6(676),
    UNKNOWN_ELEMENT_OF_ENUM(691),

    NO_SUCH_COLUMN_IN_TABLE(16, Remedy.TABLE),
    ILLEGAL_COLUMN(44, Remedy.TABLE),
    UNKNOWN_IDENTIFIER(47, Remedy.TABLE),
    NOT_IMPLEMENTED(48, Remedy.TABLE),
    UNKNOWN_TABLE(60, "create the table, or check 'table'"),
    SYNTAX_ERROR(62, Remedy.VERSION),
    UNKNOWN_FORMAT(73, Remedy.VERSION),
    UNKNOWN_DATABASE(81, "create the database, or check 'table'"),
    UNKNOWN_SETTING(115, Remedy.VERSION),
    TOO_MANY_ROWS(158, Remedy.LIMIT),
    TIMEOUT_EXCEEDED(159, Remedy.BUSY),
    TOO_SLOW(160, Remedy.LIMIT),
    READONLY(164, Remedy.RIGHTS),
    UNKNOWN_USER(192, Remedy.LOGIN),
    WRONG_PASSWORD(193, Remedy.LOGIN),
    REQUIRED_PASSWORD(194, Remedy.LOGIN),
    IP_ADDRESS_NOT_ALLOWED(195, Remedy.LOGIN),
    QUOTA_EXPIRED(201, Remedy.LIMIT),
    TOO_MANY_SIMULTANEOUS_QUERIES(202, Remedy.BUSY),
    NO_FREE_CONNECTION(203, Remedy.BUSY),
    SOCKET_TIMEOUT(209, Remedy.BUSY),
    NETWORK_ERROR(210, Remedy.BUSY),
    TABLE_IS_DROPPED(218, "create the table, or check 'table'"),
    NO_ZOOKEEPER(225, Remedy.REPLICAS),
    MEMORY_LIMIT_EXCEEDED(241, "raise max_memory_usage, or send smaller batches"),
    TABLE_IS_READ_ONLY(242, Remedy.REPLICAS),
    NOT_ENOUGH_SPACE(243, "free disk space"),
    TOO_MANY_PARTS(252, "send larger batches ('batch'), and partition by day at most"),
    CANNOT_DECOMPRESS(271, Remedy.COMPRESSION),
    ALL_CONNECTION_TRIES_FAILED(279, Remedy.REPLICAS),
    TOO_FEW_LIVE_REPLICAS(285, Remedy.REPLICAS),
    UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE(286, Remedy.REPLICAS),
    LIMIT_EXCEEDED(290, Remedy.LIMIT),
    DATABASE_ACCESS_DENIED(291, Remedy.RIGHTS),
    UNKNOWN_STATUS_OF_INSERT(319, Remedy.REPLICAS),
    ZLIB_INFLATE_FAILED(354, Remedy.COMPRESSION),
    QUERY_WAS_CANCELLED(394, ""),
    CANNOT_SCHEDULE_TASK(439, Remedy.BUSY),
    SETTING_CONSTRAINT_VIOLATION(452, Remedy.RIGHTS),
    ACCESS_DENIED(497, Remedy.RIGHTS),
    S3_ERROR(499, ""),
    AUTHENTICATION_FAILED(516, Remedy.LOGIN),
    KEEPER_EXCEPTION(999, Remedy.REPLICAS);

    /** Remedies of several errors. */
    private static final class Remedy {
        static final String TABLE = "compare the table with 'millrace config template clickhouse'";
        static final String VERSION = "use ClickHouse 23.9 or later";
        static final String LIMIT = "raise the limits of the user";
        static final String BUSY = "reduce the load of the server";
        static final String RIGHTS = "grant INSERT to the user, with settings of the query (readonly = 0)";
        static final String LOGIN = "check 'user' and 'password'";
        static final String REPLICAS = "check replicas and Keeper";
        static final String COMPRESSION = "change 'compression'";
    }

    private final int code;
    private final @Nullable String remedy;

    /** An error of a row. */
    ClickHouseError(int code) {
        this.code = code;
        this.remedy = null;
    }

    /** An error of the table, the server or the settings. */
    ClickHouseError(int code, String remedy) {
        this.code = code;
        this.remedy = remedy;
    }

    /** The error with a code; null if there is none. */
    static @Nullable ClickHouseError of(int code) {
        for (ClickHouseError error : values()) {
            if (error.code == code) {
                return error;
            }
        }
        return null;
    }

    int code() {
        return code;
    }

    /** True if a row is invalid: it becomes a dead letter. Else the output waits. */
    boolean isOfRow() {
        return remedy == null;
    }

    /** What to do; empty if nothing is to be done, or if a row is invalid. */
    String remedy() {
        return remedy == null ? "" : remedy;
    }
}
