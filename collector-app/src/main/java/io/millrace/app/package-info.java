/**
 * The service: command line, admin HTTP, and what they print.
 *
 * <p>{@link io.millrace.app.Main} dispatches to a command a class. Standard output is for data, standard error for
 * people. Exit codes: 0 done, 1 failed, 2 bad usage or a wrong configuration. {@link
 * io.millrace.app.config} reads and describes the configuration.
 */
package io.millrace.app;
