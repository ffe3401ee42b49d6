/** Parsing and formatting of the values that users type and read. It depends on no other package and starts no thread. */
package io.millrace.sender.value;
