/**
 * Outputs to files and to standard output.
 */
package io.millrace.output.file;
