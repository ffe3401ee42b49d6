@org.jspecify.annotations.NullMarked
package io.millrace.transport;
