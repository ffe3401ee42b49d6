/**
 * The soak: the service for a long time under load, with everything that happens to one in a week. The sender's datagrams go by way of
 * the {@link io.millrace.bench.soak.SoakService service} to an {@link io.millrace.bench.soak.ArchiveCheck archive} and a {@link
 * io.millrace.bench.soak.UnreliableServer server} that refuses now and then; what the process takes is {@link
 * io.millrace.bench.soak.Sample sampled}, and at the end a {@link io.millrace.bench.soak.Verdict} says what held.
 */
@NullMarked
package io.millrace.bench.soak;

import org.jspecify.annotations.NullMarked;
