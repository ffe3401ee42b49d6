/**
 * The run itself. {@code SendRun} starts one {@code Sender} per thread: the caller's thread, and {@code millrace-send-N}
 * with {@code --threads}. A sender waits with its {@code Pacer} until a batch is due and gives it to the transmitter. Each
 * sender owns its counts; they are added after all threads have ended.
 */
package io.millrace.sender.run;
