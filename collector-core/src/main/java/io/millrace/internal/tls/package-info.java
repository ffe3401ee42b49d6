/**
 * TLS of stream inputs, on the TLS of the JDK: certificates and keys from PEM files, which peers are allowed, and the handlers of a
 * connection that decrypt it. {@link io.millrace.internal.tls.TlsServer} is the TLS of one input.
 */
package io.millrace.internal.tls;
