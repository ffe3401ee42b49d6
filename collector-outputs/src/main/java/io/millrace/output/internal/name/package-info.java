/** Names from fields of messages: templates, patterns and limits. Used for files, topics, indexes and labels. */
package io.millrace.output.internal.name;
