/**
 * Outputs over syslog: UDP, TCP and TLS.
 */
package io.millrace.output.syslog;
