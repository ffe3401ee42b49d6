/**
 * The command line of {@code millrace send}: options, report and progress line. Threads: {@code millrace-send-progress}
 * writes the progress line, and the shutdown hook {@code millrace-send-stop} ends the run on a signal.
 */
package io.millrace.sender.command;
