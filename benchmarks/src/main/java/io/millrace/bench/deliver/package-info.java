/**
 * Outputs: how fast they deliver a full journal. Each measurement starts the programs that it needs, and ends them.
 */
@NullMarked
package io.millrace.bench.deliver;

import org.jspecify.annotations.NullMarked;
