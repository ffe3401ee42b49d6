/** Converters of option values, options of several commands, and the old names of commands and receivers. It starts no thread. */
@NullMarked
package io.millrace.bench.option;

import org.jspecify.annotations.NullMarked;
