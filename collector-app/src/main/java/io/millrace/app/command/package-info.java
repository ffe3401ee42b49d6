/**
 * The commands of {@code millrace}, one class each. Standard output is for data, standard error for people.
 */
package io.millrace.app.command;
