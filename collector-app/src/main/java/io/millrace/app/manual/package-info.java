/**
 * Manual pages and shell completions of the commands, generated from picocli's model at build time, so that they match
 * {@code --help}. One thread.
 */
package io.millrace.app.manual;
