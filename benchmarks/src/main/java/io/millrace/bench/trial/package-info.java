/**
 * One trial: a receiver is started, warmed up and loaded by a sender in a process of its own. All measurements are external
 * and the same for every receiver: datagrams by their identity in its output, CPU time and socket buffers from {@code /proc}.
 * A trial is invalid if the sender missed its rate.
 *
 * <p>Trials run one at a time on the caller's thread. {@link io.millrace.bench.trial.ReceiveQueueSampler}, which only
 * {@code lossless} uses, has a thread of its own at the end of a trial.
 */
@NullMarked
package io.millrace.bench.trial;

import org.jspecify.annotations.NullMarked;
