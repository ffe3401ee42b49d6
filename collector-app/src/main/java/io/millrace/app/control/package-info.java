/**
 * Requests of other commands to the running service: {@code millrace status}, {@code millrace reload} and
 * {@code millrace dead-letters retry}.
 *
 * <p>The service listens on the Unix socket {@code control} in its data directory, for its own user and for root. A request is a line.
 * The answer is a line with the exit code of the command and the length of a text, and the text. The thread {@code millrace-control}
 * sleeps while there is no request.
 *
 * <p>A service that hangs, or that has ended, is described by the files of its data directory and by the kernel.
 */
@NullMarked
package io.millrace.app.control;

import org.jspecify.annotations.NullMarked;
