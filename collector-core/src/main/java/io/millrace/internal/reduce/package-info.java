/**
 * What an output leaves out of the messages that its filter matches: all but a sample, and repeated messages. Each object
 * belongs to one output and its thread.
 */
@NullMarked
package io.millrace.internal.reduce;

import org.jspecify.annotations.NullMarked;
