/**
 * The soak test: the service under load for a long time. The {@link io.millrace.bench.soak.SoakService service} delivers the
 * sender's datagrams to an {@link io.millrace.bench.soak.ArchiveCheck archive} and to a {@link
 * io.millrace.bench.soak.FlakyHttpServer server} that sometimes returns 503. {@link io.millrace.bench.soak.SoakSample Samples}
 * record its resources, and at the end {@link io.millrace.bench.soak.SoakVerdict} checks the results.
 */
@NullMarked
package io.millrace.bench.soak;

import org.jspecify.annotations.NullMarked;
