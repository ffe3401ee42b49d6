/**
 * Output over RELP: the client's side of the protocol. Messages are syslog messages, and connections those of the syslog output.
 */
package io.millrace.output.relp;
