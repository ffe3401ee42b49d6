/**
 * What became of the datagrams of one run: their identities are found again in whatever the receiver left behind (a
 * journal, a file of lines, a capture), and each source is told what is missing, double or out of order, and how late
 * it was. Nothing here starts a thread.
 */
@NullMarked
package io.millrace.bench.check;

import org.jspecify.annotations.NullMarked;
