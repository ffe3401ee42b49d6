/**
 * Access control and rate limits, checked once per datagram before its frame is submitted.
 *
 * <p>A {@link io.millrace.internal.policy.Policy} is made from {@link io.millrace.collector.PolicySettings} and shared by all receivers
 * of a collector. {@link io.millrace.collector.NetworkSet} is immutable. {@link io.millrace.internal.policy.RateLimits} is a table of fixed
 * size that receivers update together, by compare-and-set and without locks. A check allocates nothing, and does not log or
 * count. The receiver counts rejected datagrams by reason. {@link io.millrace.internal.policy.Policy#tick} logs which sources are
 * limited, on a thread that receives nothing.
 */
package io.millrace.internal.policy;
