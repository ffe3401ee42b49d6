/**
 * One trial: a receiver is started, warmed up and loaded by a sender in a process of its own, and what it did with the
 * load is measured from outside, alike for every receiver: datagrams by their identity in what it left behind, CPU
 * time and socket buffers by {@code /proc}. A trial in which the sender missed its rate is void.
 *
 * <p>Trials run one at a time on the caller's thread; {@link io.millrace.bench.trial.QueueWatch} has a thread of its own while one
 * runs. {@link io.millrace.bench.trial.Ballast} is there for a whole run.
 */
@NullMarked
package io.millrace.bench.trial;

import org.jspecify.annotations.NullMarked;
