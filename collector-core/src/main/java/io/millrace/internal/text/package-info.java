/** Texts for people that several modules write: durations, addresses, errors, names that may be meant. Without state. */
@org.jspecify.annotations.NullMarked
package io.millrace.internal.text;
