/** The JDK's TLS from PEM files, for outputs and admin HTTP. Any thread. */
package io.millrace.output.internal.tls;
