/**
 * One trial: a receiver is started, warmed up and loaded by a sender in a process of its own, and what it did with the
 * load is measured from outside, alike for every receiver: datagrams by their identity in what it left behind, processor
 * time and socket buffers by {@code /proc}. A trial in which the sender missed its rate is void.
 *
 * <p>Trials run one at a time on the caller's thread; {@link io.millrace.bench.trial.Ballast} and {@link
 * io.millrace.bench.trial.QueueWatch} have a thread each while one runs.
 */
@NullMarked
package io.millrace.bench.trial;

import org.jspecify.annotations.NullMarked;
