/** Converters of option values, and options of several commands. It starts no thread. */
@NullMarked
package io.millrace.bench.option;

import org.jspecify.annotations.NullMarked;
