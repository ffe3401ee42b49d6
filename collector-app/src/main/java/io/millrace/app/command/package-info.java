/**
 * The commands of {@code millrace}, one class each; those on the files of a data directory are in {@code journal}. Standard output is for data, standard error for people.
 */
package io.millrace.app.command;
