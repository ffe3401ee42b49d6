/**
 * Outputs over syslog: UDP, TCP and TLS.
 */
package io.millrace.app.sink.syslog;
