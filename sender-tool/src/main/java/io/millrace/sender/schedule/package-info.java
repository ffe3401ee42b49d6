/**
 * When each datagram is due, and which source sends it. {@code Schedule} has the due times, {@code SourceLayout} the order
 * of the sources, {@code SendPlan} both together with the end of the run. {@code BatchIterator} goes through one thread's
 * part of a plan. Plans and schedules are immutable; an iterator belongs to one thread.
 */
package io.millrace.sender.schedule;
