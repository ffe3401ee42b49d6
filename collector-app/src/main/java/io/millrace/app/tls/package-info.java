/** The JDK's TLS from files in PEM, for outputs and for admin HTTP alike. Any thread. */
package io.millrace.app.tls;
