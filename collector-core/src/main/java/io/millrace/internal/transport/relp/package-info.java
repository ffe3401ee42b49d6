/**
 * The server's side of RELP, the Reliable Event Logging Protocol of librelp, on bytes alone: a decoder for what a client sends, and the
 * answers that it gets. The client is an output, which reads headers of frames by {@link
 * io.millrace.internal.transport.relp.RelpHeader} too.
 *
 * <p>A frame is {@code TXNR SP COMMAND SP DATALEN [SP DATA] LF}. The client numbers its commands, and gets an answer with the number of
 * each, in their order: {@code TXNR rsp 6 200 OK}. It keeps a message until it has that answer, and sends it again over a new connection
 * otherwise. So {@link io.millrace.internal.transport.relp.RelpAnswers} holds the answer to a message back until the batch that has the message is
 * safe.
 *
 * <p>One thread: that of the connection.
 */
package io.millrace.internal.transport.relp;
