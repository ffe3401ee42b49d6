/**
 * Reading files that a person names in a setting, which may be anything: a pipe, a device, or on a file system that hangs. Any
 * thread; the reading itself has threads of its own.
 */
package io.millrace.internal.file;
