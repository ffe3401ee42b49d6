/**
 * Names made from the fields of messages: templates, what they can match, and limits. Used for files, topics, indexes and labels.
 */
package io.millrace.app.sink.name;
