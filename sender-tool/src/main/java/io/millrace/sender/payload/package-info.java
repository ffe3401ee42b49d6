/**
 * What the datagrams contain: generated messages ({@code TemplatePayloads}), or the lines and packets of a file ({@code
 * FilePayloads}). {@link io.millrace.sender.payload.SequencePayload} specifies the identity in generated payloads. Each
 * sending thread has its own {@code Payloads}, except that threads share {@code FilePayloads}, which is immutable.
 */
package io.millrace.sender.payload;
