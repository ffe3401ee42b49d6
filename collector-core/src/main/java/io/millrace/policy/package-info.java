/**
 * Who may send, and how much: asked once for each datagram, before its frame is submitted.
 *
 * <p>A {@link io.millrace.policy.Policy} is made from {@link io.millrace.policy.PolicySettings} and shared by all receivers
 * of a collector. {@link io.millrace.policy.NetworkSet} never changes after it was made. {@link
 * io.millrace.policy.RateLimits} is a table of fixed size that receivers change together, by compare-and-set and without
 * locks. To ask allocates nothing, and neither logs nor counts: the receiver counts what was refused, by reason, and {@link
 * io.millrace.policy.Policy#tick}, on a thread that receives nothing, says who is limited.
 */
package io.millrace.policy;
