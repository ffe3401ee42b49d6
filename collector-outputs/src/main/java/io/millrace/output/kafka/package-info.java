/**
 * The output to Kafka.
 */
package io.millrace.output.kafka;
