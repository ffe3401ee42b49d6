/**
 * What was sent against what is in the journal, datagram by datagram. The suites that compare receivers will stand here
 * too.
 */
package io.millrace.bench;
