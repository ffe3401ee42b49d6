/**
 * Outputs to files and to standard output.
 */
package io.millrace.app.sink.file;
