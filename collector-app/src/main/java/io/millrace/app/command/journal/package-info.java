/**
 * Commands on the files of a data directory, with the service or without: {@code millrace journal} and {@code millrace dead-letters}.
 */
@NullMarked
package io.millrace.app.command.journal;

import org.jspecify.annotations.NullMarked;
