/**
 * Outputs: how fast they deliver a full journal, and how late a message is in a file. Each measurement starts the programs that it
 * needs, and ends them.
 */
@NullMarked
package io.millrace.bench.deliver;

import org.jspecify.annotations.NullMarked;
