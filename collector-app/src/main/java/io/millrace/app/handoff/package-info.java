/**
 * Bound sockets of other processes: from systemd ({@link io.millrace.app.handoff.ListenFds}), or by socket handoff from
 * the running process ({@link io.millrace.app.handoff.HandoffClient} and {@link
 * io.millrace.app.handoff.HandoffServer}). The protocol has lines over a Unix socket in the data directory:
 *
 * <pre>
 * new: millrace handoff 3
 * old: sockets COUNT receivers COUNT gro BOOLEAN connections COUNT   (or: refused REASON)
 * old: own|kept ADDRESS                               (for each socket)
 * old: (the descriptors, in the same order)
 * new: ready                                          (or it goes away: then nothing has changed)
 * old: streams COUNT BYTES                            (any number of times: TCP and Unix listeners and connections)
 * old: (BYTES of state, then COUNT descriptors)
 * old: released TIME                                  (the data directory is free; nobody reads since then, ns since 1970)
 * </pre>
 *
 * <p>{@link io.millrace.app.handoff.HandoffServer} has a thread that sleeps until a process connects; everything else
 * runs on the main threads.
 */
package io.millrace.app.handoff;
