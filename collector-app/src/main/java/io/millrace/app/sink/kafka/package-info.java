/**
 * The output to Kafka.
 */
package io.millrace.app.sink.kafka;
