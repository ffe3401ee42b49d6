/** What all commands of {@code millrace bench} share. */
package io.millrace.bench.command;
