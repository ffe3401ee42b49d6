/**
 * The check of one run: it finds the identities of the datagrams in a journal, a file of lines or a capture, and reports per
 * source what is missing, duplicate or out of order, and the latency. Nothing here starts a thread.
 */
@NullMarked
package io.millrace.bench.check;

import org.jspecify.annotations.NullMarked;
