/** What syslog and RELP share: encoded messages, connections over UDP, TCP and TLS, and destinations that move. One thread per sink. */
package io.millrace.output.internal.forward;
