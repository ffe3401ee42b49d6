/**
 * GELF, the format of Graylog, as it travels: compressed payloads and chunks of a message.
 *
 * <p>{@link io.millrace.internal.gelf.Expander} decompresses a payload when something reads it, up to a limit. {@link
 * io.millrace.internal.gelf.ChunkAssembler} keeps chunks that arrive by UDP until their message is complete; it belongs to one
 * receiver, and its memory is limited, see {@link io.millrace.internal.gelf.WaitingMessages}. The text of a message is parsed in {@code io.millrace.internal.parse}.
 */
package io.millrace.internal.gelf;
