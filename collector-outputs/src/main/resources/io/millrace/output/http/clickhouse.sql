-- A table for the output 'clickhouse' of Millrace with 'format: json' or 'json-flat': a column for each key.
-- Keys without a column are left out, so columns may be removed. Needs ClickHouse 23.9 or later.
-- Replace ENGINE with ReplicatedMergeTree in a cluster; it has a deduplication window by default.
CREATE TABLE IF NOT EXISTS logs
(
    timestamp DateTime64(9, 'UTC') CODEC(Delta, ZSTD),
    receive_time DateTime64(9, 'UTC') CODEC(Delta, ZSTD),
    facility LowCardinality(String),
    severity LowCardinality(String),
    version UInt16,
    hostname LowCardinality(String),
    appname LowCardinality(String),
    procid String,
    msgid LowCardinality(String),
    structured_data String,
    message String CODEC(ZSTD),
    body LowCardinality(String),
    fields String,
    sequence_id Nullable(UInt64),
    defaulted Array(LowCardinality(String)),
    source_ip String,
    source_port UInt16,
    transport LowCardinality(String),
    pid UInt32,
    uid UInt32,
    gid UInt32,
    tls_peer String,
    input LowCardinality(String),
    shard UInt32,
    sequence UInt64,
    part Nullable(UInt32),
    parse LowCardinality(String),
    unexpanded LowCardinality(String),
    truncated Bool,
    incomplete Bool
)
ENGINE = MergeTree
-- By the receive time: a sender chooses the timestamp, and each value of it would be a partition.
PARTITION BY toDate(receive_time)
ORDER BY (hostname, timestamp)
-- TTL toDateTime(receive_time) + INTERVAL 90 DAY
SETTINGS non_replicated_deduplication_window = 1000;
