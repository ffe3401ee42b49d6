package io.millrace.transport;

import io.millrace.counters.SocketCounters;

/**
 * A bound socket with the id of its input and its counters.
 *
 * @param input the id of its input in the journal
 */
public record ListeningSocket(ReceiveSocket socket, int input, SocketCounters counters) {}
