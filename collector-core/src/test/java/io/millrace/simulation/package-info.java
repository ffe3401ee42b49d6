/**
 * The simulation: one collector whose sockets, clock, disk and destinations are simulated, without threads and without sleeping. A seed
 * chooses the order in which the agents work, what the disk loses at a crash, and what destinations answer.
 */
package io.millrace.simulation;
