/**
 * The files of a data directory. {@link io.millrace.internal.disk.Disk} is the only way to them: a test registers a disk that fails or
 * loses what was not synced. Any thread.
 */
package io.millrace.internal.disk;
